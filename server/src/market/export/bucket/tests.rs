use super::{Bucket, Moment, Named, said};

const KEYS: [(&str, &str); 2] = [
    ("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE"),
    (
        "AWS_SECRET_ACCESS_KEY",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ),
];

fn bucket(
    storage: &str,
    alter: impl FnOnce(&mut Named),
    more: &[(&str, &str)],
) -> Result<Bucket, String> {
    let mut named = Named {
        storage: storage.to_owned(),
        ..Named::default()
    };
    alter(&mut named);
    let known: Vec<(&str, &str)> = KEYS.iter().chain(more).copied().collect();
    Bucket::of(&named, &|name| {
        known
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
    })
}

fn address(bucket: &Bucket) -> String {
    bucket
        .address("cards-5.csv.gz", Moment::from_millis(1_369_353_600_000))
        .split('?')
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn address_follows_the_settings_of_the_bucket() {
    let amazon = bucket(
        "s3://prices/daily/",
        |_| {},
        &[("AWS_REGION", "eu-central-1")],
    )
    .expect("it is right");
    assert_eq!(
        address(&amazon),
        "https://prices.s3.eu-central-1.amazonaws.com/daily/cards-5.csv.gz"
    );
    let dotted = bucket(
        "s3://prices.example",
        |named| named.region = Some("eu-west-1".to_owned()),
        &[],
    )
    .expect("it is right");
    assert_eq!(
        address(&dotted),
        "https://s3.eu-west-1.amazonaws.com/prices.example/cards-5.csv.gz"
    );
    let own = bucket(
        "s3://prices",
        |_| {},
        &[("AWS_ENDPOINT_URL_S3", "http://[::1]:9000")],
    )
    .expect("it is right");
    assert_eq!(
        (address(&own).as_str(), own.to_string().as_str()),
        ("http://[::1]:9000/prices/cards-5.csv.gz", "s3://prices/")
    );
    assert!(!format!("{own:?}").contains("wJalr"), "{own:?}");
}

#[test]
fn invalid_bucket_settings_are_named_in_the_error() {
    let region = [("AWS_REGION", "eu-central-1")];
    for storage in [
        "",
        "prices",
        "s3://",
        "s3:///x",
        "s3://..",
        "s3://a b",
        "s3://prices/../x",
        "s3://prices//x",
        "s3://prices/é",
    ] {
        assert!(
            bucket(storage, |_| {}, &region).is_err_and(|said| said.contains("exports.storage")),
            "{storage}"
        );
    }
    assert!(bucket("s3://prices", |_| {}, &[]).is_err_and(|said| said.contains("AWS_REGION")));
    for endpoint in ["prices.example", "ftp://prices.example", "https://"] {
        let met = bucket(
            "s3://prices",
            |named| named.endpoint = Some(endpoint.to_owned()),
            &region,
        );
        assert!(
            met.is_err_and(|said| said.contains("exports.endpoint")),
            "{endpoint}"
        );
    }
    let named = Named {
        storage: "s3://prices".to_owned(),
        region: Some("x".to_owned()),
        ..Named::default()
    };
    assert!(Bucket::of(&named, &|_| None).is_err_and(|said| said.contains("AWS_ACCESS_KEY_ID")));
}

#[test]
fn code_and_message_of_an_error_are_read() {
    assert_eq!(
        said(b"<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"),
        "AccessDenied: Access Denied"
    );
    assert_eq!(said(b"\xff<Code>"), "");
}
