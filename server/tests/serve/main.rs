//! `titledex-server serve` as a process: first start, kill, stop, reload of the catalogue, and two
//! processes on one database.

#[path = "../service/client.rs"]
#[allow(dead_code, reason = "the tests of the server use the rest")]
mod client;
#[path = "../service/database.rs"]
mod database;
mod full_disk;
mod load;
mod log;
mod process;

use client::Call;
use database::Database;
use load::under_load;
use process::{Process, account, plan, server, used};
use serde_json::{Value, json};
use std::net::TcpListener;
use titledex::Options;
use titledex_command::catalogue::{Bound, CatalogueFile, engine, read_rows, write_index};

const TITLE: &str = "Pikachu 58/102 Base Set PSA 9";

fn on_each_database(test: impl Fn(&Database)) {
    for database in [Some(Database::sqlite()), Database::postgres()]
        .into_iter()
        .flatten()
    {
        eprintln!("on {}", database.kind);
        test(&database);
    }
}

fn call(key: &str) -> Call {
    Call::parse(key, json!({"title": TITLE}).to_string())
}

/// It starts on an empty folder, prints the first administrator's key once, and answers.
#[test]
fn first_start_prints_the_administrator_key_once() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = plan(folder.path(), 10);
    on_each_database(|database| {
        // with all cards on SQLite
        let settings: &[&str] = match database.kind {
            "sqlite" => &[],
            _ => &["--config", &config],
        };
        let process = Process::start(database, settings);
        let admin_key = process.printed[0]
            .strip_prefix("administrator's key, shown this once: ")
            .expect("it is shown")
            .to_owned();
        let asked = Call::new("POST", "/api/admin/accounts")
            .key(&admin_key)
            .json(json!({"name": "a", "plan": "free"}).to_string());
        assert_eq!(asked.send(process.address).status, 201);
        drop(process);
        let again = Process::start(database, settings);
        assert_eq!(again.printed, Vec::<String>::new());
        assert_eq!(
            Call::new("GET", "/api/admin/plans")
                .key(&admin_key)
                .send(again.address)
                .status,
            200
        );
    });
}

/// A start that has no port ends before it makes a database.
#[test]
fn busy_port_leaves_no_database_behind() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let busy = taken.local_addr().expect("it listens").to_string();
    for listen in [
        ["--listen", &busy, "--metrics-listen", "127.0.0.1:0"],
        ["--listen", "127.0.0.1:0", "--metrics-listen", &busy],
    ] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let done = server()
            .args(["serve", "--games", "pokemon"])
            .args(["--database", "sqlite:titledex.db"])
            .args(listen)
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{said}");
        let expected = format!("cannot listen on {busy}");
        assert!(said.contains(&expected), "{said}");
        let left = std::fs::read_dir(folder.path()).expect("it is there");
        assert_eq!(left.count(), 0, "{listen:?}");
    }
}

/// A path that cannot be the database is named with what is wrong and what to do, and no mode is
/// spoken of: to `chmod 600` a folder would harm.
#[test]
fn unfit_database_is_named_with_what_to_do() {
    let home = tempfile::tempdir().expect("a folder can be made");
    let junk = home.path().join("junk.db");
    std::fs::write(&junk, "no database, but as long as a header of one").expect("writable");
    let folder = home.path().display().to_string();
    for (path, wanted) in [
        (
            folder.clone(),
            format!("{folder} is a folder: name a file in it"),
        ),
        (
            format!("{folder}/none/titledex.db"),
            format!("there is no folder {folder}/none for the database"),
        ),
        (
            junk.display().to_string(),
            format!("{} is no SQLite database: name another", junk.display()),
        ),
        (
            "/dev/null".to_owned(),
            "/dev/null is no file: name another".to_owned(),
        ),
    ] {
        let tried = server()
            .args(["serve", "--listen", "127.0.0.1:0", "--database"])
            .arg(format!("sqlite:{path}"))
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&tried.stderr);
        assert_eq!(tried.status.code(), Some(1), "{path}: {said}");
        assert!(said.contains(&wanted), "{path}: {said}");
        assert!(!said.contains("chmod"), "{path}: {said}");
    }
    assert_eq!(
        std::fs::read_dir(home.path()).expect("it is there").count(),
        1,
        "nothing is made beside the file"
    );
}

/// `data` is byte for byte the JSON of the core, as `titledex parse` prints it.
#[test]
fn answers_are_those_of_the_core() {
    let database = Database::sqlite();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = plan(folder.path(), 100);
    let process = Process::start(&database, &["--config", &config]);
    let reply = call(&account(&database)).send(process.address);
    let engine = engine(&CatalogueFile::default().or_first_game())
        .unwrap_or_else(|failure| panic!("{failure:?}"));
    let mut printed = Vec::new();
    engine
        .answer(TITLE, &Options::default())
        .write_json(&mut printed);
    let printed = String::from_utf8(printed).expect("it is text");
    assert!(
        reply
            .text()
            .starts_with(&format!("{{\"data\":{},\"metadata\":", printed.trim_end()))
    );
}

/// Killed under load: every answer is charged, and at most the open lease is charged too much.
/// Leases double, so that is no more than was answered before, plus what was on its way.
#[test]
fn answered_requests_are_charged_after_a_kill() {
    on_each_database(|database| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let config = plan(folder.path(), 100_000_000);
        let mut process = Process::start(database, &["--config", &config]);
        let key = account(database);
        let address = process.address;
        let (answered, _) = under_load(
            address,
            &key,
            400,
            || process.child.kill().expect("it is killed"),
            400,
        );
        let (charged, leased) = used(database);
        eprintln!(
            "answered {answered}, charged {charged}, of those leased when it last wrote {leased}"
        );
        assert!(
            answered <= charged,
            "{answered} answered, {charged} charged"
        );
        assert!(
            charged <= 2 * answered + 8,
            "{answered} answered, {charged} charged"
        );
    });
}

/// Stopped under load: requests that began are answered, and unspent credits of leases are given
/// back.
#[test]
fn unspent_lease_is_returned_on_stop() {
    on_each_database(|database| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let config = plan(folder.path(), 100_000_000);
        let mut process = Process::start(database, &["--config", &config]);
        let key = account(database);
        let (answered, _) = under_load(
            process.address,
            &key,
            200,
            || process.signal("-TERM"),
            1_000_000_000,
        );
        assert!(process.child.wait().expect("it ends").success());
        assert_eq!(used(database), (answered, 0));
    });
}

/// Two processes on one database never answer more than the account has credits.
#[test]
fn two_processes_never_overspend() {
    on_each_database(|database| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let config = plan(folder.path(), 50);
        let first = Process::start(database, &["--config", &config]);
        let second = Process::start(database, &["--config", &config]);
        let key = account(database);
        let replies: Vec<_> = std::thread::scope(|scope| {
            let send = |at: usize| {
                let (address, call) = ([first.address, second.address][at % 2], call(&key));
                scope.spawn(move || call.send(address).status)
            };
            let threads: Vec<_> = (0..200).map(send).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("it is answered"))
                .collect()
        });
        assert_eq!(replies.iter().filter(|status| **status == 200).count(), 50);
        assert_eq!(replies.iter().filter(|status| **status == 429).count(), 150);
        assert_eq!(used(database).0, 50);
    });
}

/// The log has a line a request, and never a key or a title, whatever is sent where.
#[test]
fn its_log_has_no_key_and_no_title() {
    const WORDS: &str = "Quagsire Wooper Marill";
    for json in [false, true] {
        let database = Database::sqlite();
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("log");
        let log = std::fs::File::create(&path).expect("it can be made");
        let config = plan(folder.path(), 1_000);
        let arguments = ["--config", &config, "--log-json"];
        let arguments = &arguments[..if json { 3 } else { 2 }];
        let mut process = Process::logging(&database, arguments, log.into());
        let admin_key = process.printed[0]
            .rsplit(' ')
            .next()
            .expect("it is shown")
            .to_owned();
        let key = account(&database);
        let body = |title: &str| json!({"title": title}).to_string();
        let wrong = format!("{}{}", &key[..key.len() - 5], "wrong");
        let mut calls = vec![
            Call::parse(&key, body(WORDS)).header("X-Request-Id", "plain-id"),
            Call::parse(&key, json!({"titles": [WORDS, ""]}).to_string())
                .header("X-Request-Id", key.as_str()),
            Call::parse(&key, format!("{{\"title\":\"{WORDS}\",\"{WORDS}\":1}}")),
            Call::parse(&key, WORDS),
            Call::new("GET", format!("/{key}/{}", WORDS.replace(' ', "/"))),
            Call::new(
                "GET",
                format!(
                    "/api/v2/account/keys/{key}?{key}={}",
                    WORDS.replace(' ', "+")
                ),
            )
            .key(&key),
            Call::new("DELETE", format!("/api/v2/account/keys/{key}")).key(&key),
            Call::new("POST", "/api/v2/account/keys")
                .key(&key)
                .json(json!({"name": WORDS}).to_string()),
            Call::new("POST", "/api/admin/accounts")
                .key(&admin_key)
                .json(json!({"name": WORDS, "plan": WORDS}).to_string()),
            Call::new("GET", "/metrics").key(&admin_key),
            Call::new("GET", "/healthz").header("X-Request-Id", admin_key.as_str()),
            Call::new("POST", "/api/v2/parse-title")
                .header("Authorization", key.as_str())
                .json(body(WORDS)),
        ];
        // some of these get 429, which is logged on a line of its own; they are twice as many as a
        // minute allows, since one may end among them
        calls.extend((0..2 * 61).map(|_| Call::parse(&wrong, body(WORDS))));
        let statuses: Vec<_> = calls
            .iter()
            .map(|call| call.send(process.address).status)
            .collect();
        process.signal("-TERM");
        assert!(process.child.wait().expect("it ends").success());
        let log = std::fs::read_to_string(&path).expect("it is text");
        // the secret, and the middle of it
        for secret in [
            &key[19..],
            &key[24..40],
            &admin_key[20..],
            &wrong[19..],
            "Quagsire",
            "Wooper",
            "Marill",
        ] {
            assert!(!log.contains(secret), "{secret} in {log}");
        }
        let lines: Vec<_> = log
            .lines()
            .filter(|line| line.contains("answered") && line.contains("micros"))
            .collect();
        assert_eq!(lines.len(), statuses.len(), "{log}");
        let prefix = &key[8..18];
        assert!(
            lines[0].contains("plain-id")
                && lines[0].contains("/api/v2/parse-title")
                && lines[0].contains(prefix),
            "{}",
            lines[0]
        );
        assert!(
            log.contains("too many wrong keys from one address"),
            "{log}"
        );
        if json {
            let line: Value = serde_json::from_str(lines[0]).expect("it is JSON");
            let seen = (
                &line["level"],
                &line["method"],
                &line["status"],
                &line["account"],
                &line["key"],
                &line["request"],
            );
            assert_eq!(
                seen,
                (
                    &json!("INFO"),
                    &json!("POST"),
                    &json!(200),
                    &json!(1),
                    &json!(prefix),
                    &json!("plain-id")
                )
            );
            assert!(line["micros"].is_u64() && line["timestamp"].is_string());
        }
    }
}

/// SIGHUP opens the catalogue again while requests run, and an invalid file changes nothing.
#[test]
fn catalogue_is_reloaded_without_dropping_a_request() {
    let database = Database::sqlite();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let index = folder.path().join("cards.index");
    let cards = folder.path().join("cards.csv");
    let head = "marketplaceId,name,setName,setId,cardNumber,rarity,language,printing\n";
    let build = |rows: &str| {
        std::fs::write(&cards, format!("{head}{rows}")).expect("it can be written");
        let bound = Bound::default();
        let rows = read_rows(std::slice::from_ref(&cards), None, &[], &index, &bound)
            .unwrap_or_else(|failure| panic!("{failure:?}"));
        write_index(&rows, &index, None).unwrap_or_else(|failure| panic!("{failure:?}"));
    };
    build("x1-1:normal,Pikachu,First,x1,1/2,Common,english,Normal\n");
    let config = plan(folder.path(), 100_000_000);
    let process = Process::start(
        &database,
        &[
            "--config",
            &config,
            "--catalogue",
            &index.display().to_string(),
        ],
    );
    let key = account(&database);
    let version = || {
        call(&key).send(process.address).json()["metadata"]["catalogueVersion"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let first = version();
    std::fs::write(folder.path().join("bad"), b"no index").expect("it can be written");
    std::fs::rename(folder.path().join("bad"), &index).expect("it can be moved");
    let (_, failed) = under_load(process.address, &key, 20, || process.signal("-HUP"), 200);
    assert_eq!((failed, version()), (0, first.clone()));
    build(
        "x1-1:normal,Pikachu,First,x1,1/2,Common,english,Normal\nx1-2:normal,Raichu,First,x1,2/2,Rare,english,Normal\n",
    );
    let (_, failed) = under_load(
        process.address,
        &key,
        20,
        || {
            process.signal("-HUP");
            while version() == first {
                std::thread::yield_now();
            }
        },
        200,
    );
    assert_eq!(failed, 0);
}
