//! The playground at `/`: its files from a folder, nothing outside the folder, and the landing page
//! if there is none.

use crate::client::Call;
use crate::support::{Database, Service};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use titledex_server::clock::{Clock, Moment};
use titledex_server::config::Settings;
use titledex_server::serve::Server;

/// A folder with a page, a module and a script, and outside it a file that must not be served.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let files: [(&str, &[u8]); 6] = [
        ("secret.txt", b"secret"),
        ("site/index.html", b"<title>page</title><!-- service -->"),
        ("site/ui/marks.js", b"export {};"),
        ("site/files.json", b"[]"),
        ("site/titledex/titledex.wasm", b"\0asm module"),
        ("site/titledex/titledex.wasm.br", b"smaller"),
    ];
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("it can be made");
        fs::write(path, bytes).expect("it can be written");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("../secret.txt", folder.path().join("site/link.txt"))
        .expect("a link can be made");
    folder
}

fn start(folder: &Path) -> (Service, Database) {
    let database = Database::sqlite();
    let service = Service::with(&database, |settings| {
        settings.playground = Some(folder.join("site"))
    });
    (service, database)
}

#[test]
fn playground_is_served_at_the_root() {
    let folder = folder();
    let (service, _database) = start(folder.path());
    let get = |path: &str| service.send(&Call::new("GET", path));
    let page = get("/");
    assert_eq!(
        (page.status, page.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    assert!(
        page.text().contains("<title>page</title><nav") && page.text().contains("href=\"/docs\""),
        "{}",
        page.text()
    );
    assert!(
        page.header("content-security-policy")
            .expect("it has one")
            .contains("'wasm-unsafe-eval'")
    );
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    for (path, kind) in [
        ("/ui/marks.js", "text/javascript; charset=utf-8"),
        ("/files.json", "application/json"),
        ("/titledex/titledex.wasm", "application/wasm"),
    ] {
        let file = get(path);
        assert_eq!(
            (file.status, file.header("content-type")),
            (200, Some(kind)),
            "{path}"
        );
    }
    // the landing page makes room, and pages other than the playground may not run WebAssembly
    let about = get("/about");
    assert!(
        about.text().contains("href=\"/\">in the playground"),
        "{}",
        about.text()
    );
    for path in ["/about", "/docs", "/dashboard"] {
        assert!(
            !get(path)
                .header("content-security-policy")
                .expect("it has one")
                .contains("wasm"),
            "{path}"
        );
    }
    assert_eq!(get("/healthz").status, 200);
    let posted = service.send(&Call::new("POST", "/ui/marks.js"));
    assert_eq!(
        (posted.status, posted.header("allow")),
        (405, Some("GET,HEAD"))
    );
    let head = service.send(&Call::new("HEAD", "/ui/marks.js"));
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn unchanged_file_is_not_sent_again() {
    let folder = folder();
    let (service, _database) = start(folder.path());
    let module = || Call::new("GET", "/titledex/titledex.wasm");
    let first = service.send(&module());
    assert_eq!(
        (first.header("content-encoding"), first.body.as_slice()),
        (None, b"\0asm module".as_slice())
    );
    let tag = first.header("etag").expect("it has one");
    let again = service.send(&module().header("If-None-Match", format!("\"x\", {tag}")));
    assert_eq!(
        (again.status, again.body.len(), again.header("etag")),
        (304, 0, Some(tag))
    );
    let other = service.send(&module().header("If-None-Match", "W/\"0\""));
    assert_eq!(other.status, 200);
    let packed = service.send(&module().header("Accept-Encoding", "gzip, deflate, br"));
    assert_eq!(
        (packed.header("content-encoding"), packed.body.as_slice()),
        (Some("br"), b"smaller".as_slice())
    );
    assert_eq!(
        (packed.header("vary"), packed.header("content-type")),
        (Some("accept-encoding"), Some("application/wasm"))
    );
    let refused = service.send(&module().header("Accept-Encoding", "br;q=0"));
    assert_eq!(refused.header("content-encoding"), None);
}

#[test]
fn files_outside_the_folder_are_not_served() {
    let folder = folder();
    let (service, _database) = start(folder.path());
    for path in [
        "/../secret.txt",
        "/ui/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/ui/..%5c..%5csecret.txt",
        "//secret.txt",
        "/link.txt",
        "/ui",
        "/ui/",
        "/titledex/titledex.wasm.br",
        "/index.html/",
    ] {
        let reply = service.send(&Call::new("GET", path));
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (404, "not_found"),
            "{path}"
        );
        assert!(!reply.text().contains("<title>"), "{path}");
    }
}

#[test]
fn landing_page_without_playground_explains_how_to_get_one() {
    let (service, _database) = Service::start();
    for path in ["/", "/about"] {
        let page = service.send(&Call::new("GET", path));
        assert!(
            page.status == 200 && page.text().contains("--playground"),
            "{path}"
        );
    }
    assert_eq!(service.send(&Call::new("GET", "/index.html")).status, 404);
}

#[test]
fn folder_without_playground_is_refused_at_start() {
    let folder = folder();
    // a sparse file: it takes no room on the disk
    let large = folder.path().join("large");
    fs::create_dir(&large).expect("it can be made");
    fs::File::create(large.join("index.html"))
        .and_then(|file| file.set_len((256 << 20) + 1))
        .expect("it can be written");
    for (path, said) in [
        ("nowhere", "cannot read the playground"),
        ("site/ui", "it has no index.html"),
        ("large", "it has more than 256 MiB"),
    ] {
        let database = Database::sqlite();
        let settings = Settings {
            listen: "127.0.0.1:0".to_owned(),
            database: database.address.clone(),
            playground: Some(folder.path().join(path)),
            ..Settings::default()
        };
        let runtime = tokio::runtime::Runtime::new().expect("a runtime can be made");
        let clock = Clock::standing(Moment::from_millis(0));
        let refused = runtime
            .block_on(Server::start(settings, clock))
            .map(|_| ())
            .expect_err("it is refused")
            .to_string();
        assert!(
            refused.contains(said) && refused.contains(path),
            "{refused}"
        );
    }
}
