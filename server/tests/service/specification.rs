//! The sentences of the specification about parse-title, authentication, errors, credits and headers, in our words, and the tests that hold
//! them. What has no test says why.

/// Section, what it says, the tests.
const SENTENCES: &[(&str, &str, &[&str])] = &[
    ("4", "each endpoint wants the header Authorization", &["a_missing_or_invalid_key_yields_401", "health_needs_no_key"]),
    ("4", "names in a query count by case", &["unknown_query_parameters_are_named"]),
    (
        "4",
        "each v2 answer tells its time in milliseconds, its cost, and what day and minute leave",
        &["every_v2_response_carries_its_headers"],
    ),
    ("4", "what day and minute leave is right", &["what_is_left_is_exact", "calls_come_back_with_the_minute"]),
    ("4.4", "parse-title reads a listing's title and finds the cards", &["data_is_what_the_command_line_prints"]),
    ("4.4", "it is a POST", &["every_v2_response_carries_its_headers"]),
    ("4.4", "its content is JSON and says so", &["the_body_is_json_of_a_bounded_size"]),
    ("4.4", "the body is an object", &["what_is_wrong_with_a_body_is_said", "deep_json_is_refused"]),
    ("4.4", "title is a string and must be there", &["what_is_wrong_with_a_body_is_said"]),
    ("4.4", "options is an object and may be left out", &["each_option_does_what_it_says", "what_is_wrong_with_a_body_is_said"]),
    (
        "4.4",
        "fuzzyMatching is a boolean, maxSuggestions an integer, includeConfidence a boolean; none must be there",
        &["each_option_does_what_it_says", "what_is_wrong_with_a_body_is_said"],
    ),
    ("4.4", "the answer has data with parsed and matches", &["data_is_what_the_command_line_prints"]),
    ("5.1", "each request to v1 and v2 has Authorization: Bearer and a key", &["a_missing_or_invalid_key_yields_401"]),
    ("5.2", "holders manage their keys", &["a_holder_makes_and_revokes_keys", "a_holder_does_not_make_keys_without_end"]),
    ("5.3", "keys an account by plan: 1, 5, unlimited, 20", &["a_plan_bounds_the_keys_of_an_account"]),
    ("5.4", "401 without a key, or with a wrong one", &["a_missing_or_invalid_key_yields_401", "keys_are_the_same_in_all_servers"]),
    // 5.5, and 403 of section 7: plans that lack population and export. Neither endpoint is there yet; a key of the wrong kind gets 403.
    ("5.5", "403 for what a key does not open", &["every_v2_response_carries_its_headers", "a_holder_makes_and_revokes_keys"]),
    ("7", "400 for parameters that are wrong", &["what_is_wrong_with_a_body_is_said", "unknown_query_parameters_are_named"]),
    ("7", "429 where the rate is exceeded", &["calls_come_back_with_the_minute"]),
    ("7", "429 where credits do not suffice", &["parallel_requests_never_overspend", "two_servers_on_one_database_never_overspend"]),
    ("7", "429 says when to come again", &["credits_come_back_at_midnight", "calls_come_back_with_the_minute", "guessing_keys_is_bounded"]),
    ("7", "500 where the server fails", &["a_handler_that_panics_is_refunded"]),
    (
        "7",
        "503 says when to come again and is not counted",
        &["requests_at_once_are_bounded", "a_body_that_does_not_come_is_not_waited_for"],
    ),
    ("8", "credits are charged, and no more than there are", &["parallel_requests_never_overspend", "credits_leased_elsewhere_come_back"]),
    ("8", "100 credits a day on Free", &["credits_come_back_at_midnight"]),
    ("8", "a day ends at midnight in UTC", &["credits_come_back_at_midnight", "a_refund_after_midnight_goes_to_its_day"]),
    (
        "8",
        "calls a minute of what returns much: a tenth of it, 30 at most",
        &["calls_come_back_with_the_minute", "a_batch_has_at_most_a_thousand_titles"],
    ),
    ("8", "requests a day and a minute of v1, by plan", &["every_v1_response_carries_its_headers", "requests_of_v1_are_counted_apart"]),
    ("8", "six headers on each v1 answer: integers, and timestamps", &["every_v1_response_carries_its_headers"]),
    ("9", "the version is part of the path", &["a_missing_or_invalid_key_yields_401", "every_v1_response_carries_its_headers"]),
];

/// Every test that is named is there.
#[test]
fn each_sentence_has_its_test() {
    let sources = [
        include_str!("accounts.rs"),
        include_str!("authentication.rs"),
        include_str!("credits.rs"),
        include_str!("hostile.rs"),
        include_str!("parse_title.rs"),
    ];
    for (section, sentence, tests) in SENTENCES {
        assert!(!tests.is_empty(), "{section} {sentence}");
        for test in *tests {
            let there = sources.iter().any(|source| source.contains(&format!("#[test]\nfn {test}()")));
            assert!(there, "{section} {sentence}: there is no test {test}");
        }
    }
}
