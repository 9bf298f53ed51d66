//! Section 8, Limits: credits and calls, charged so that parallel requests never overspend.

use crate::client::{Call, Reply};
use crate::support::{NOON, Service, TITLE, at_once, on_each_database, one_title};
use axum::Router;
use axum::body::Body;
use axum::routing::get;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use titledex_server::clock::Moment;
use titledex_server::config::Settings;
use titledex_server::credits::{Cost, Meter, Refusal, Shortage};
use titledex_server::middleware::GateLayer;
use tower::ServiceExt;

fn fifty(settings: &mut Settings) {
    let settled = Settings::parse("[plans.free]\ndaily-credits = 50\nminute-calls = 100000\n")
        .expect("it is right");
    settings.plans = settled.plans;
}

/// "429 rate limit exceeded, or insufficient credits": 200 requests at once, 50 credits left,
/// exactly 50 answered.
#[test]
fn parallel_requests_never_overspend() {
    on_each_database(|database| {
        let service = Service::with(database, fifty);
        let holder = service.account("site", "free");
        let calls = vec![(service.address, Call::parse(&holder.key, one_title())); 200];
        let replies = at_once(&calls);
        let answered = replies.iter().filter(|reply| reply.status == 200).count();
        let refused = replies
            .iter()
            .filter(|reply| reply.status == 429 && reply.code() == "insufficient_credits")
            .count();
        assert_eq!((answered, refused), (50, 150));
        assert_eq!(
            replies
                .iter()
                .map(|reply| reply.number("x-ratelimit-cost"))
                .sum::<i64>(),
            50
        );
        assert_eq!(
            replies
                .iter()
                .map(|reply| reply.number("x-ratelimit-daily-remaining"))
                .min(),
            Some(0)
        );
        let (used, leased) = service.used(&holder);
        assert_eq!(used + leased, 50);
        service.stop();
    });
}

/// The same over two servers on one database, which share nothing else.
#[test]
fn two_servers_on_one_database_never_overspend() {
    on_each_database(|database| {
        let first = Service::with(database, fifty);
        let second = Service::with(database, fifty);
        let holder = first.account("site", "free");
        let addresses = [first.address, second.address];
        let calls: Vec<_> = (0..200)
            .map(|at| (addresses[at % 2], Call::parse(&holder.key, one_title())))
            .collect();
        let mut replies = at_once(&calls);
        let answered =
            |replies: &[Reply]| replies.iter().filter(|reply| reply.status == 200).count();
        // a busy machine may refuse for what the other server has not given back yet: nothing of it
        // is lost
        for at in 0..200 {
            if answered(&replies) >= 50 {
                break;
            }
            replies.push(Call::parse(&holder.key, one_title()).send(addresses[at % 2]));
        }
        replies
            .extend(addresses.map(|address| Call::parse(&holder.key, one_title()).send(address)));
        let refused = replies
            .iter()
            .filter(|reply| reply.status == 429 && reply.code() == "insufficient_credits")
            .count();
        let other = replies
            .iter()
            .find(|reply| reply.status != 200 && reply.status != 429);
        assert_eq!(
            (answered(&replies), refused),
            (50, replies.len() - 50),
            "{other:?}"
        );
        assert_eq!(
            replies
                .iter()
                .map(|reply| reply.number("x-ratelimit-cost"))
                .sum::<i64>(),
            50
        );
        second.stop();
        assert_eq!(first.charged(&holder), 50);
        first.stop();
    });
}

/// Credits that one server leased and does not spend come back to the other.
#[test]
fn request_waits_for_credits_leased_elsewhere() {
    on_each_database(|database| {
        let first = Service::with(database, fifty);
        let second = Service::with(database, fifty);
        let holder = first.account("site", "free");
        // leases grow while requests follow each other at once
        for _ in 0..20 {
            assert_eq!(
                first.send(&Call::parse(&holder.key, one_title())).status,
                200
            );
        }
        let titles = json!({"titles": vec![TITLE; 30]}).to_string();
        let reply = second.send(&Call::parse(&holder.key, titles));
        assert_eq!(
            (
                reply.status,
                reply.number("x-ratelimit-cost"),
                reply.number("x-ratelimit-daily-remaining")
            ),
            (200, 30, 0)
        );
        assert_eq!(
            first.send(&Call::parse(&holder.key, one_title())).status,
            429
        );
        first.stop();
        second.stop();
    });
}

/// "X-RateLimit-Daily-Remaining", "X-RateLimit-Minute-Remaining": exact after each request, and
/// what stops gives back what it holds.
#[test]
fn remaining_credits_are_exact() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "api");
        for sent in 1..=50 {
            let reply = service.send(&Call::parse(&holder.key, one_title()));
            assert_eq!(reply.number("x-ratelimit-daily-remaining"), 20_000 - sent);
            assert_eq!(reply.number("x-ratelimit-minute-remaining"), 300 - sent);
        }
        service.stop();
        let again = Service::on(database);
        assert_eq!(again.used(&holder), (50, 0));
        let reply = again.send(&Call::parse(&holder.key, one_title()));
        assert_eq!(
            (
                reply.number("x-ratelimit-daily-remaining"),
                reply.number("x-ratelimit-minute-remaining")
            ),
            (20_000 - 51, 300 - 51)
        );
    });
}

/// "Daily credits: Free 100", reset at UTC midnight; "429 … Retry-After".
#[test]
fn credits_are_restored_at_midnight() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        let batch = |count: usize| {
            service.send(&Call::parse(
                &holder.key,
                json!({"titles": vec!["x"; count]}).to_string(),
            ))
        };
        assert_eq!(batch(99).number("x-ratelimit-daily-remaining"), 1);
        let two = batch(2);
        assert_eq!(
            (
                two.status,
                two.code().as_str(),
                two.number("x-ratelimit-cost")
            ),
            (429, "insufficient_credits", 0)
        );
        assert_eq!(two.number("retry-after"), 43_200 - 10);
        assert_eq!(batch(1).status, 200);
        assert_eq!(batch(1).status, 429);
        let midnight = (NOON / 86_400_000 + 1) * 86_400_000;
        service.clock.set(Moment::from_millis(midnight - 1));
        assert_eq!((batch(1).status, batch(1).number("retry-after")), (429, 1));
        service.clock.set(Moment::from_millis(midnight));
        let reply = batch(1);
        assert_eq!(
            (reply.status, reply.number("x-ratelimit-daily-remaining")),
            (200, 99)
        );
        // more than the plan allows in a day: no wait helps
        let ever = batch(101);
        assert_eq!(
            (
                ever.status,
                ever.code().as_str(),
                ever.header("retry-after")
            ),
            (429, "insufficient_credits", None)
        );
        service.stop();
    });
}

/// Without credits, a request is refused before the database is asked for what it wants or its body
/// is looked at, and counts as a call of the minute.
#[test]
fn request_without_credits_is_refused_before_work() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            settings.plans = Settings::parse(
                "[plans.free]\ndaily-credits = 1\nminute-calls = 5\n[plans.business]\ndaily-credits = 1\n",
            )
            .expect("it is right")
            .plans;
        });
        let holder = service.account("site", "free");
        assert_eq!(
            service.send(&Call::parse(&holder.key, one_title())).status,
            200
        );
        let ask = |path: &str| {
            service.send(&Call::new("GET", format!("/api/v2/{path}")).key(&holder.key))
        };
        // a set that does not exist would be 404, had it been looked for
        for (at, path) in ["cards?set=nowhere", "sealed-products?set=nowhere", "cards"]
            .into_iter()
            .enumerate()
        {
            let reply = ask(path);
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (429, "insufficient_credits"),
                "{path}"
            );
            assert_eq!(reply.number("x-ratelimit-cost"), 0);
            assert_eq!(
                reply.number("x-ratelimit-minute-remaining"),
                3 - i64::try_from(at).expect("it is small")
            );
        }
        // one that is not JSON would be 400, had it been looked at
        for body in [one_title(), "{".to_owned()] {
            let reply = service.send(&Call::parse(&holder.key, body));
            assert_eq!(
                (reply.status, reply.code().as_str()),
                (429, "insufficient_credits")
            );
        }
        // without calls either, the longer wait is the one that is stated, also when what the
        // database said is asked for again
        for _ in 0..6 {
            let last = ask("cards");
            assert_eq!(
                (last.status, last.code().as_str()),
                (429, "insufficient_credits")
            );
            assert_eq!(last.number("retry-after"), 43_200 - 10);
            assert_eq!(last.number("x-ratelimit-minute-remaining"), 0);
            std::thread::sleep(Duration::from_millis(90));
        }
        assert_eq!(service.charged(&holder), 1);
        service.clock.set(Moment::from_millis(NOON + 86_400_000));
        assert_eq!(ask("cards?set=nowhere").status, 404);
        service.stop();
    });
}

/// Calls a minute: a title is one, a batch one for ten credits and at most 30, as for all cards of a
/// set.
#[test]
fn calls_are_restored_every_minute() {
    on_each_database(|database| {
        let service = Service::with(database, |settings| {
            let settled = Settings::parse("[plans.free]\ndaily-credits = 1000\nminute-calls = 5\n")
                .expect("it is right");
            settings.plans = settled.plans;
        });
        let holder = service.account("site", "free");
        let ask = || service.send(&Call::parse(&holder.key, one_title()));
        let titles = json!({"titles": vec!["x"; 21]}).to_string();
        let batch = service.send(&Call::parse(&holder.key, titles));
        assert_eq!(
            (batch.status, batch.number("x-ratelimit-minute-remaining")),
            (200, 2)
        );
        assert_eq!((ask().status, ask().status), (200, 200));
        let refused = ask();
        assert_eq!(
            (
                refused.status,
                refused.code().as_str(),
                refused.number("retry-after")
            ),
            (429, "minute_limit", 50)
        );
        assert_eq!(refused.number("x-ratelimit-daily-remaining"), 1000 - 23);
        service.clock.set(Moment::from_millis(NOON + 50_000));
        let reply = ask();
        assert_eq!(
            (reply.status, reply.number("x-ratelimit-minute-remaining")),
            (200, 4)
        );
        assert_eq!(reply.number("x-ratelimit-daily-remaining"), 1000 - 24);
        service.stop();
    });
}

/// "v1 daily limits by plan: Free 200 … all v1 plans 60 requests per minute", counted apart from
/// the credits of v2.
#[test]
fn v1_requests_have_their_own_count() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        let app = service.server().app.clone();
        let account = app.directory.account(holder.id).expect("it is there");
        let charge = || {
            let charged = service.runtime().block_on(app.ledger.charge(
                &account,
                Meter::V1,
                Cost {
                    credits: 1,
                    calls: 1,
                },
            ));
            charged.map(|charge| charge.keep().1.daily_remaining)
        };
        for minute in 0..4 {
            service
                .clock
                .set(Moment::from_millis(NOON + minute * 60_000));
            for sent in 1..=60 {
                match charge() {
                    Ok(left) => assert_eq!(left, 200 - minute * 60 - sent),
                    Err(refusal) => assert!(
                        minute == 3
                            && sent > 20
                            && matches!(
                                refusal,
                                Refusal::Short {
                                    of: Shortage::Daily,
                                    ..
                                }
                            )
                    ),
                }
            }
            if minute < 3 {
                assert!(matches!(
                    charge(),
                    Err(Refusal::Short {
                        of: Shortage::Minute,
                        retry_after: 50,
                        ..
                    })
                ));
            }
        }
        assert_eq!(
            service
                .send(&Call::parse(&holder.key, one_title()))
                .number("x-ratelimit-daily-remaining"),
            99
        );
        service.stop();
    });
}

/// "500 server error while serving the request": nothing is charged, and the answer has the form of
/// every other.
#[test]
fn panicking_handler_is_refunded() {
    let (service, _database) = Service::start();
    let holder = service.account("site", "free");
    let app = service.server().app.clone();
    let (ledger, directory) = (Arc::clone(&app.ledger), Arc::clone(&app.directory));
    let id = holder.id;
    let fails = move || {
        let (ledger, account) = (
            Arc::clone(&ledger),
            directory.account(id).expect("it is there"),
        );
        async move {
            let _charge = ledger
                .charge(
                    &account,
                    Meter::V2,
                    Cost {
                        credits: 7,
                        calls: 1,
                    },
                )
                .await
                .expect("there is enough");
            if account.id == id {
                panic!("as a defect would");
            }
            "never"
        }
    };
    let router = Router::new()
        .route("/api/v2/fails", get(fails))
        .layer(GateLayer(Arc::clone(&app.gate)));
    let request = axum::http::Request::get("/api/v2/fails")
        .header("Host", "localhost")
        .header("Authorization", format!("Bearer {}", holder.key));
    let request = request.body(Body::empty()).expect("it is a request");
    let response = service
        .runtime()
        .block_on(router.oneshot(request))
        .expect("it is answered");
    assert_eq!(response.status(), 500);
    assert_eq!(response.headers()["x-ratelimit-cost"], "0");
    assert_eq!(response.headers()["x-ratelimit-daily-remaining"], "100");
    assert_eq!(response.headers()["x-ratelimit-minute-remaining"], "60");
    assert_eq!(
        service
            .send(&Call::parse(&holder.key, one_title()))
            .number("x-ratelimit-daily-remaining"),
        99
    );
}

/// A charge that is dropped after midnight goes back to its day.
#[test]
fn refund_after_midnight_goes_to_the_day_of_the_charge() {
    on_each_database(|database| {
        let service = Service::on(database);
        let holder = service.account("site", "free");
        let app = service.server().app.clone();
        let account = app.directory.account(holder.id).expect("it is there");
        let charge = service.runtime().block_on(app.ledger.charge(
            &account,
            Meter::V2,
            Cost {
                credits: 10,
                calls: 1,
            },
        ));
        let charge = charge.expect("there is enough");
        service.clock.set(Moment::from_millis(NOON + 86_400_000));
        assert_eq!(
            service
                .send(&Call::parse(&holder.key, one_title()))
                .number("x-ratelimit-daily-remaining"),
            99
        );
        drop(charge);
        service.runtime().block_on(app.ledger.close());
        let days = service
            .runtime()
            .block_on(app.store.usage_since(holder.id, 0))
            .expect("it answers");
        assert_eq!(
            days.iter()
                .map(|day| (day.used, day.leased))
                .collect::<Vec<_>>(),
            [(0, 0), (1, 0)]
        );
        service.stop();
    });
}
