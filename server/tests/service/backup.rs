//! Backups: what docs/SERVICE.md says is enough to restore a service.

use crate::client::Call;
use crate::support::{Service, on_each_database, one_title};

/// A backup that is made while the service runs has all accounts, keys and charges up to then.
#[test]
fn backup_of_a_running_service_restores_it() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        assert_eq!(
            service.send(&Call::parse(&holder.key, one_title())).status,
            200
        );
        // leases that are out count as used in a backup: none is
        assert_eq!(service.charged(&holder), 1);
        let restored = database.restored();
        let later = service.account("later", "free");
        service.stop();

        let service = Service::on(&restored);
        assert_eq!(service.charged(&holder), 1, "{}", database.kind);
        assert_eq!(
            service.send(&Call::parse(&holder.key, one_title())).status,
            200
        );
        assert_eq!(service.charged(&holder), 2, "{}", database.kind);
        // what came after the backup is not in it
        assert_eq!(
            service.send(&Call::parse(&later.key, one_title())).code(),
            "invalid_key"
        );
        service.stop();
    });
}
