//! Files that an administrator sends: `POST /api/admin/import/{kind}`.

use crate::client::{Call, Reply};
use crate::support::{Service, at_once, on_each_database};
use crate::wire::{Wire, status};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;
use titledex_server::clock::Moment;
use titledex_server::store::Actor;
use titledex_server::store::market::Undoing;

/// Cards of the tests' own, so that no catalogue needs to be written.
const CARDS: &str = "marketplaceId,name,setName,setId,cardNumber,language,printing\n\
                     own-7:holo,Glitterzard,Home Made,own,7/10,english,Holo\n\
                     own-8:holo,Mudzard,Home Made,own,8/10,english,Holo\n";
const PRICES: &str =
    "marketplaceId,date,marketPrice\nown-7:holo,2024-10-03,12.50\nown-8:holo,2024-10-03,3\n";
const CSV: &str = "text/csv";
const MINUTE: i64 = 60_000;

fn gzip(text: &str) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text.as_bytes()).expect("memory");
    packed.finish().expect("memory")
}

fn call(service: &Service, path: &str, kind: &str, body: impl Into<Vec<u8>>) -> Call {
    let mut call = Call::new("POST", format!("/api/admin/import/{path}"))
        .key(&service.admin)
        .header("Content-Type", kind);
    call.body = body.into();
    call
}

fn send(service: &Service, path: &str, kind: &str, body: impl Into<Vec<u8>>) -> Reply {
    service.send(&call(service, path, kind, body))
}

/// Imports the cards.
pub(crate) fn stock(service: &Service) {
    let reply = send(service, "cards", CSV, CARDS);
    assert_eq!(reply.status, 201, "{}", reply.text());
}

fn outcome(reply: &Reply) -> (u16, String) {
    let outcome = reply.json()["data"]["outcome"].clone();
    (
        reply.status,
        outcome.as_str().unwrap_or_default().to_owned(),
    )
}

/// The imports that are known, newest first: number, kind, name and rows.
pub(crate) fn imports(service: &Service) -> Vec<(i64, String, String, i64)> {
    let rows = service
        .runtime()
        .block_on(service.server().app.store.imports(i64::MAX, 1_000))
        .expect("it answers");
    rows.into_iter()
        .map(|row| (row.id, row.kind, row.name, row.records))
        .collect()
}

/// The headline price of a card, as a holder is answered.
fn price(service: &Service, key: &str, id: &str) -> Value {
    let path = format!("/api/v2/cards?marketplaceId={id}");
    let reply = service.send(&Call::new("GET", path).key(key));
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()["data"][0]["prices"].clone()
}

#[test]
fn every_form_is_imported_and_answered_with_counts() {
    on_each_database(|database| {
        let service = Service::on(database);
        stock(&service);
        let line = |price: &str| {
            json!({"marketplaceId": "own-7:holo", "date": "2024-10-04", "marketPrice": price})
                .to_string()
        };
        let bodies = [
            ("prices?name=a.csv", CSV, PRICES.as_bytes().to_vec()),
            (
                "prices?name=b.csv",
                "text/csv; charset=utf-8",
                gzip(&PRICES.replace("12.50", "13")),
            ),
            (
                "prices?name=c.tsv",
                "text/tab-separated-values",
                PRICES
                    .replace("12.50", "14")
                    .replace(',', "\t")
                    .into_bytes(),
            ),
            (
                "prices?name=d",
                "application/x-ndjson",
                line("15").into_bytes(),
            ),
            ("prices?name=e", "application/jsonl", gzip(&line("16"))),
        ];
        for (path, kind, body) in bodies {
            let mut call = call(&service, path, kind, body);
            if path.contains("=e") {
                call = call.header("Content-Encoding", "gzip");
            }
            let reply = service.send(&call);
            assert_eq!(
                outcome(&reply),
                (201, "imported".to_owned()),
                "{}",
                reply.text()
            );
        }
        let names: Vec<String> = imports(&service).into_iter().map(|row| row.2).collect();
        assert_eq!(names, ["e", "d", "c.tsv", "b.csv", "a.csv", "upload"]);
        let holder = service.account("site", "business");
        let shown = price(&service, &holder.key, "own-7:holo");
        assert_eq!(shown["market"].as_f64(), Some(16.0), "{shown}");
        // wrong rows are shown and left out; a strict import keeps nothing; a dry one checks
        let rows = "item,date,price\nown-7:holo,2024-10-04,17\nown-9:holo,2024-10-04,1\n";
        for (query, expected) in [
            ("&dryRun=true", (200, "checked", false)),
            ("&strict=1", (200, "refused", false)),
            ("&source=shop", (201, "imported", true)),
        ] {
            let reply = send(
                &service,
                &format!("prices?map=marketplaceId=item{query}"),
                CSV,
                rows,
            );
            let data = reply.json()["data"].clone();
            let found = (
                reply.status,
                data["outcome"].as_str().unwrap_or(""),
                data["import"].is_i64(),
            );
            assert_eq!(found, expected, "{query} {data}");
            let counts = [&data["rows"], &data["right"], &data["wrong"]];
            assert_eq!(counts, [2, 1, 1], "{data}");
            assert_eq!(data["errors"][0]["row"], 3);
            assert_eq!(data["errors"][0]["column"], "marketplaceId");
            let message = data["errors"][0]["message"].as_str().unwrap_or_default();
            assert!(
                message.contains("\"own-9:holo\" is not in the store"),
                "{data}"
            );
        }
        let shown = price(&service, &holder.key, "own-7:holo");
        assert_eq!(
            (shown["market"].as_f64(), &shown["source"]),
            (Some(17.0), &json!("shop")),
            "{shown}"
        );
        // sold listings are read; what is not known here goes to review
        let sales = "title,price,date,url\nGlitterzard 7/10 Home Made PSA 9,10,2024-10-01,https://www.ebay.com/itm/400100000001\n";
        let data = send(&service, "sales?confidence=0.9", CSV, sales).json()["data"].clone();
        assert_eq!(data["sales"]["review"], 1, "{data}");
        // each is in the record, with the key that asked
        let audit = service
            .runtime()
            .block_on(service.server().app.store.audit(0, 100));
        let deeds: Vec<_> = audit
            .expect("it answers")
            .into_iter()
            .filter(|row| row.deed == "import")
            .collect();
        assert_eq!(deeds.len(), 8);
        assert_eq!(
            (deeds[1].subject, deeds[1].detail.as_str()),
            (Some(2), "prices a.csv")
        );
        assert!(
            deeds
                .iter()
                .all(|row| matches!(row.by, titledex_server::store::Actor::Key(_)))
        );
        service.stop();
    });
}

/// A row names a printing: the id of its card is told from one that is unknown.
#[test]
fn id_of_a_card_is_refused_with_its_printings() {
    let database = crate::support::Database::sqlite();
    let service = Service::on(&database);
    stock(&service);
    let product = "marketplaceId,name,productType,language\nbox:own,Home Box,Booster Box,english\n";
    assert_eq!(send(&service, "sealed", CSV, product).status, 201);
    for (kind, header, rest) in [
        ("prices", "marketplaceId,date,marketPrice", "2024-10-03,1"),
        (
            "population",
            "marketplaceId,grader,matchConfidence,g10",
            "GRADER_A,high,1",
        ),
    ] {
        let ids = ["own-7", "own", "own-", "box", "own-9"];
        let rows: Vec<String> = ids.iter().map(|id| format!("{id},{rest}\n")).collect();
        let body = format!("{header}\n{}", rows.concat());
        let path = format!("{kind}?dryRun=true");
        let data = send(&service, &path, CSV, body).json()["data"].clone();
        let told: Vec<&str> = (0..ids.len())
            .map(|at| data["errors"][at]["message"].as_str().unwrap_or_default())
            .collect();
        assert!(
            told[0].contains("\"own-7\" is a card: name one of its printings (own-7:holo)"),
            "{told:?}"
        );
        assert!(
            told[1..]
                .iter()
                .all(|what| what.contains("is not in the store")),
            "{told:?}"
        );
    }
    service.stop();
}

/// Cells almost as long as a row may be, in every column with a number or a moment: each is a wrong
/// row with a message, and the service goes on.
#[test]
fn cells_as_long_as_a_row_may_be_are_wrong_rows() {
    let database = crate::support::Database::sqlite();
    let service = Service::on(&database);
    stock(&service);
    let kinds = [
        (
            "prices",
            "marketplaceId,date,marketPrice,lowPrice,sellers",
            "own-7:holo,2024-10-03,1,1,1",
            1,
        ),
        (
            "sales",
            "title,price,date",
            "Glitterzard PSA 9,1,2024-10-01",
            1,
        ),
        (
            "population",
            "marketplaceId,grader,matchConfidence,totalPopulation,g10,matchScore,lastFetchedDate",
            "own-7:holo,GRADER_A,high,1,1,1,2024-10-01",
            3,
        ),
        ("rates", "date,currency,usdPerUnit", "2024-10-03,EUR,1.1", 0),
        (
            "sets",
            "id,name,language,printedTotal,total,legality",
            "own,Home Made,english,1,1,{}",
            3,
        ),
    ];
    for (kind, header, right, first) in kinds {
        let cells: Vec<&str> = right.split(',').collect();
        let mut body = format!("{header}\n");
        let mut wrong = 0;
        for fill in ["-", "9", "["] {
            for at in first..cells.len() {
                let mut row = cells.clone();
                let long = fill.repeat(1_000_000);
                row[at] = &long;
                body += &row.join(",");
                body.push('\n');
                wrong += 1;
            }
        }
        let reply = send(&service, &format!("{kind}?dryRun=true"), CSV, body);
        let data = reply.json()["data"].clone();
        assert_eq!(
            (reply.status, data["wrong"].as_i64()),
            (200, Some(wrong)),
            "{kind} {data}"
        );
        let message = data["errors"][0]["message"].as_str().unwrap_or_default();
        assert!(message.len() < 400, "{message}");
    }
    service.stop();
}

#[test]
fn wrong_requests_are_refused_before_anything_is_kept() {
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, |settings| {
        settings.imports.body_bytes = 1 << 20;
        settings.imports.unpacked_bytes = 2 << 20;
        settings.imports.rows = 10;
    });
    stock(&service);
    let holder = service.account("site", "business");
    let plain = |path: &str| call(&service, path, CSV, PRICES);
    let bomb = gzip(&format!(
        "marketplaceId,date,marketPrice\n{}",
        "\n".repeat(3 << 20)
    ));
    let many = format!(
        "marketplaceId,date,marketPrice\n{}",
        "own-7:holo,2024-10-03,1\n".repeat(11)
    );
    let mut unkeyed = plain("prices");
    unkeyed.headers.remove(0);
    let held = unkeyed.clone().key(&holder.key);
    let cases: Vec<(Call, u16, &str)> = vec![
        (unkeyed, 401, "missing_key"),
        (held, 403, "wrong_role"),
        (plain("titles"), 404, "not_found"),
        (plain("prices?Strict=true"), 400, "unknown_parameter"),
        (plain("prices?strict=perhaps"), 400, "invalid_value"),
        (plain("prices?confidence=2"), 400, "out_of_range"),
        (plain("prices?map=marketPrice"), 400, "invalid_value"),
        (plain("prices?map=colour=red"), 400, "invalid_value"),
        (
            plain("prices").header("Idempotency-Key", "two words"),
            400,
            "invalid_value",
        ),
        (
            plain("prices").header("Content-Encoding", "br"),
            415,
            "unsupported_media_type",
        ),
        (
            plain("prices").header("Content-Encoding", "gzip"),
            400,
            "invalid_file",
        ),
        (
            call(&service, "prices", "application/json", "{}"),
            415,
            "unsupported_media_type",
        ),
        (
            call(&service, "prices", "text/csv; charset=latin1", PRICES),
            415,
            "unsupported_media_type",
        ),
        (
            call(&service, "prices", CSV, "marketplaceId,date,colour\n"),
            400,
            "invalid_file",
        ),
        (
            call(&service, "prices", CSV, "marketplaceId,marketPrice\n"),
            400,
            "invalid_file",
        ),
        (
            call(&service, "prices", CSV, &gzip(PRICES)[..30]),
            400,
            "invalid_file",
        ),
        (call(&service, "prices", CSV, bomb), 413, "body_too_large"),
        (call(&service, "prices", CSV, many), 413, "body_too_large"),
        (
            call(&service, "prices", CSV, vec![b'x'; (1 << 20) + 1]),
            413,
            "body_too_large",
        ),
    ];
    for (call, status, code) in cases {
        let reply = service.send(&call);
        let shown = (&call.path, &call.headers[call.headers.len() - 1]);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (status, code),
            "{shown:?} {}",
            reply.text()
        );
    }
    // a body of unknown length is bounded as it comes
    let head = format!(
        "POST /api/admin/import/prices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n",
        service.admin
    );
    let piece = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let answer = Wire::sent(service.address, &(head + &piece.repeat(17) + "0\r\n\r\n")).rest();
    assert_eq!(status(&answer), Some(413), "{answer}");
    assert_eq!(imports(&service).len(), 1, "only the cards are kept");
    assert_eq!(
        std::fs::read_dir(&service.server().app.settings.imports.folder)
            .expect("it is there")
            .count(),
        0,
        "a body leaves no file"
    );
    service.stop();
}

#[test]
fn import_that_is_sent_again_is_made_once() {
    on_each_database(|database| {
        let service = Service::on(database);
        stock(&service);
        let keyed = |key: &str, body: &str| {
            service.send(&call(&service, "prices", CSV, body).header("Idempotency-Key", key))
        };
        let first = keyed("night-1", PRICES);
        assert_eq!(outcome(&first), (201, "imported".to_owned()));
        let again = keyed("night-1", PRICES);
        assert_eq!(outcome(&again), (200, "repeated".to_owned()));
        assert_eq!(
            again.json()["data"]["import"],
            first.json()["data"]["import"]
        );
        let other = PRICES.replace("12.50", "13");
        assert_eq!(
            (
                keyed("night-1", &other).status,
                keyed("night-1", &other).code()
            ),
            (409, "key_reused".to_owned())
        );
        // without a key the content decides, with kind and parameters
        assert_eq!(
            outcome(&send(&service, "prices", CSV, PRICES)).1,
            "imported"
        );
        assert_eq!(
            outcome(&send(&service, "prices", CSV, PRICES)).1,
            "repeated"
        );
        assert_eq!(
            outcome(&send(&service, "prices?source=shop", CSV, PRICES)).1,
            "imported"
        );
        assert_eq!(
            outcome(&send(&service, "prices?dryRun=true", CSV, PRICES)).1,
            "checked"
        );
        // one with wrong rows gets another chance
        let wrong = format!("{PRICES}own-9:holo,2024-10-03,1\n");
        assert_eq!(
            outcome(&send(&service, "prices", CSV, wrong.as_str())).1,
            "imported"
        );
        assert_eq!(
            outcome(&send(&service, "prices", CSV, wrong.as_str())).1,
            "imported"
        );
        let count = imports(&service).len();
        // many at once: one is made, the others wait for it or learn of it
        let calls: Vec<_> = (0..8)
            .map(|_| {
                (
                    service.address,
                    call(&service, "prices", CSV, other.as_str()).header("Idempotency-Key", "race"),
                )
            })
            .collect();
        let replies = at_once(&calls);
        assert_eq!(
            replies.iter().filter(|reply| reply.status == 201).count(),
            1
        );
        for reply in replies.iter().filter(|reply| reply.status == 503) {
            assert_eq!(reply.code(), "import_running");
            assert!(reply.number("retry-after") > 0);
        }
        assert_eq!(imports(&service).len(), count + 1);
        // what was undone is made again
        let last = imports(&service)[0].0;
        let now = service.clock.now();
        let undone = service.runtime().block_on(service.server().app.store.undo(
            last,
            Undoing::Imports,
            Actor::Operator,
            now,
        ));
        undone.expect("it answers");
        assert_eq!(
            outcome(&keyed("race", &other)),
            (201, "imported".to_owned())
        );
        service.stop();
    });
}

/// One import runs at a time, on any process; a process that died does not keep the place.
#[test]
fn lease_of_another_process_is_waited_for_until_it_ends() {
    on_each_database(|database| {
        let (service, second) = (Service::on(database), Service::on(database));
        stock(&service);
        let store = &second.server().app.store;
        let (now, ends) = (
            service.clock.now(),
            Moment::from_millis(service.clock.now().millis() + MINUTE),
        );
        let lease = second
            .runtime()
            .block_on(store.lease_import("other", now, ends));
        assert!(lease.expect("it answers"));
        let reply = send(&service, "prices", CSV, PRICES);
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (503, "import_running"),
            "{}",
            reply.text()
        );
        assert_eq!(reply.number("retry-after"), 5);
        service.clock.set(ends);
        assert_eq!(send(&service, "prices", CSV, PRICES).status, 201);
        // it was given back
        let free = second.runtime().block_on(store.import_runs("nobody", now));
        assert_eq!(free.expect("it answers"), None);
        service.stop();
        second.stop();
    });
}

/// Who sends slowly holds nobody up, and is not waited for without end.
#[test]
fn slow_body_neither_blocks_nor_stays() {
    let database = crate::support::Database::sqlite();
    let service = Service::with(&database, |settings| {
        settings.limits.request_time = Duration::from_secs(2);
    });
    stock(&service);
    let holder = service.account("site", "business");
    let head = format!(
        "POST /api/admin/import/prices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: text/csv\r\nContent-Length: {}\r\n\r\nmarketplaceId,",
        service.admin,
        PRICES.len()
    );
    let slow: Vec<Wire> = (0..4).map(|_| Wire::sent(service.address, &head)).collect();
    let reply = service.send(&Call::parse(&holder.key, crate::support::one_title()));
    assert_eq!(reply.status, 200, "{}", reply.text());
    for wire in slow {
        let answer = wire.rest();
        assert!(
            status(&answer) == Some(400) && answer.contains("body_cut_short"),
            "{answer}"
        );
    }
    let reply = send(&service, "prices", CSV, PRICES);
    assert_eq!(reply.status, 201, "{}", reply.text());
    service.stop();
}
