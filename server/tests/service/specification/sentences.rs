//! What the specification says.

/// Section, what it says, the tests.
pub(super) const SENTENCES: &[(&str, &str, &[&str])] = &[
    (
        "4",
        "each endpoint wants the header Authorization",
        &["a_missing_or_invalid_key_yields_401", "health_needs_no_key"],
    ),
    (
        "4",
        "names in a query count by case",
        &["unknown_query_parameters_are_named"],
    ),
    (
        "4",
        "each v2 answer tells its time in milliseconds, its cost, and what day and minute leave",
        &["every_v2_response_carries_its_headers"],
    ),
    (
        "4",
        "what day and minute leave is right",
        &["what_is_left_is_exact", "calls_come_back_with_the_minute"],
    ),
    (
        "4.4",
        "parse-title reads a listing's title and finds the cards",
        &["data_is_what_the_command_line_prints"],
    ),
    (
        "4.4",
        "it is a POST",
        &["every_v2_response_carries_its_headers"],
    ),
    (
        "4.4",
        "its content is JSON and says so",
        &["the_body_is_json_of_a_bounded_size"],
    ),
    (
        "4.4",
        "the body is an object",
        &["what_is_wrong_with_a_body_is_said", "deep_json_is_refused"],
    ),
    (
        "4.4",
        "title is a string and must be there",
        &["what_is_wrong_with_a_body_is_said"],
    ),
    (
        "4.4",
        "options is an object and may be left out",
        &[
            "each_option_does_what_it_says",
            "what_is_wrong_with_a_body_is_said",
        ],
    ),
    (
        "4.4",
        "fuzzyMatching is a boolean, maxSuggestions an integer, includeConfidence a boolean; none must be there",
        &[
            "each_option_does_what_it_says",
            "what_is_wrong_with_a_body_is_said",
        ],
    ),
    (
        "4.4",
        "the answer has data with parsed and matches",
        &["data_is_what_the_command_line_prints"],
    ),
    (
        "5.1",
        "each request to v1 and v2 has Authorization: Bearer and a key",
        &["a_missing_or_invalid_key_yields_401"],
    ),
    (
        "5.2",
        "holders manage their keys",
        &[
            "a_holder_makes_and_revokes_keys",
            "a_holder_does_not_make_keys_without_end",
        ],
    ),
    (
        "5.3",
        "keys an account by plan: 1, 5, unlimited, 20",
        &["a_plan_bounds_the_keys_of_an_account"],
    ),
    (
        "5.4",
        "401 without a key, or with a wrong one",
        &[
            "a_missing_or_invalid_key_yields_401",
            "keys_are_the_same_in_all_servers",
        ],
    ),
    (
        "7",
        "400 for parameters that are wrong",
        &[
            "what_is_wrong_with_a_body_is_said",
            "unknown_query_parameters_are_named",
        ],
    ),
    (
        "7",
        "429 where the rate is exceeded",
        &["calls_come_back_with_the_minute"],
    ),
    (
        "7",
        "429 where credits do not suffice",
        &[
            "parallel_requests_never_overspend",
            "two_servers_on_one_database_never_overspend",
        ],
    ),
    (
        "7",
        "429 says when to come again",
        &[
            "credits_come_back_at_midnight",
            "calls_come_back_with_the_minute",
            "guessing_keys_is_bounded",
        ],
    ),
    (
        "7",
        "500 where the server fails",
        &["a_handler_that_panics_is_refunded"],
    ),
    (
        "7",
        "503 says when to come again and is not counted",
        &[
            "requests_at_once_are_bounded",
            "a_body_that_does_not_come_is_not_waited_for",
        ],
    ),
    (
        "8",
        "credits are charged, and no more than there are",
        &[
            "parallel_requests_never_overspend",
            "credits_leased_elsewhere_come_back",
        ],
    ),
    (
        "8",
        "100 credits a day on Free",
        &["credits_come_back_at_midnight"],
    ),
    (
        "8",
        "a day ends at midnight in UTC",
        &[
            "credits_come_back_at_midnight",
            "a_refund_after_midnight_goes_to_its_day",
        ],
    ),
    (
        "8",
        "calls a minute of what returns much: a tenth of it, 30 at most",
        &[
            "calls_come_back_with_the_minute",
            "a_batch_has_at_most_a_thousand_titles",
        ],
    ),
    (
        "8",
        "requests a day and a minute of v1, by plan",
        &[
            "every_v1_response_carries_its_headers",
            "requests_of_v1_are_counted_apart",
        ],
    ),
    (
        "8",
        "six headers on each v1 answer: integers, and timestamps",
        &["every_v1_response_carries_its_headers"],
    ),
    (
        "9",
        "the version is part of the path",
        &[
            "a_missing_or_invalid_key_yields_401",
            "every_v1_response_carries_its_headers",
        ],
    ),
    (
        "1",
        "it answers JSON about cards, sets, sealed products, graded sales and populations",
        &[
            "a_card_is_looked_up_by_its_marketplace_id",
            "sets_are_listed_newest_first",
            "sealed_products_have_prices_and_recent_sales",
            "graded_sales_are_keyed_by_grade",
            "a_population_is_shown_by_grader",
        ],
    ),
    (
        "1",
        "cards are English and Japanese",
        &[
            "a_set_is_named_by_name_slug_code_or_id",
            "a_search_is_read_as_a_title_is",
        ],
    ),
    (
        "1",
        "history is daily snapshots, and the plan says how far back",
        &[
            "history_is_daily_and_no_longer_than_asked_or_allowed",
            "the_plan_bounds_the_history",
        ],
    ),
    (
        "1",
        "prices come from several sources and conditions, and of first editions, foil and reverse foil",
        &["a_card_is_looked_up_by_its_marketplace_id"],
    ),
    (
        "1",
        "graded sales have prices, sales, velocity and a trend of seven days, for four graders",
        &["graded_sales_are_keyed_by_grade"],
    ),
    (
        "1",
        "more than 50,000 cards",
        &["a_program_can_read_all_of_an_answer"],
    ),
    (
        "1",
        "use is metered in credits, chiefly by card",
        &["what_cards_cost"],
    ),
    (
        "1",
        "one call fetches all cards of a set",
        &["all_cards_of_a_set_are_one_request_of_a_tenth_of_their_calls"],
    ),
    (
        "1",
        "search takes several words of natural language; prices bound and sort",
        &[
            "a_search_is_read_as_a_title_is",
            "queries_find_their_cards",
            "prices_bound_and_sort",
        ],
    ),
    (
        "2",
        "a card has name, marketplaceId, and prices with a number market",
        &["a_card_is_looked_up_by_its_marketplace_id"],
    ),
    (
        "2",
        "priceHistory is there where it is asked for, over the window of days",
        &[
            "history_is_daily_and_no_longer_than_asked_or_allowed",
            "a_card_is_looked_up_by_its_marketplace_id",
        ],
    ),
    (
        "2",
        "auction is keyed by grade, each with a number avg, where it is asked for",
        &[
            "graded_sales_are_keyed_by_grade",
            "a_card_is_looked_up_by_its_marketplace_id",
        ],
    ),
    (
        "2",
        "a set has release date, card counts, legality and images",
        &["sets_are_listed_newest_first"],
    ),
    (
        "2",
        "a sealed product has marketplaceId, set, type and language, prices, recent sales and history",
        &["sealed_products_have_prices_and_recent_sales"],
    ),
    (
        "2",
        "a population has the members of its table, and only graders with data",
        &["a_population_is_shown_by_grader"],
    ),
    (
        "2",
        "totalGems counts tens, pristine and perfect ones among them; rates are per cents",
        &["a_population_is_shown_by_grader", "totals_rates_and_shares"],
    ),
    (
        "2",
        "percentHigher is the share of cards graded higher",
        &["totals_rates_and_shares"],
    ),
    (
        "2",
        "GRADER_A has whole grades, auth and qualifiers; B half grades, pristine and perfect; C half grades; D whole ones; a grade without data has no key",
        &["a_population_is_shown_by_grader", "half_grades_are_b_and_c"],
    ),
    (
        "2",
        "the metadata of populations: total, count, limit, offset, hasMore, language, and what it cost, in parts",
        &[
            "populations_are_filtered_and_paged",
            "a_population_is_shown_by_grader",
        ],
    ),
    (
        "4.1",
        "sets: search, sortBy releaseDate, sortOrder, limit, language",
        &[
            "sets_are_listed_newest_first",
            "sets_are_searched_by_name_alias_and_code",
        ],
    ),
    (
        "4.2",
        "set is a name or a slug, setId an id",
        &["a_set_is_named_by_name_slug_code_or_id"],
    ),
    (
        "4.2",
        "search is of many words, as people write them",
        &["a_search_is_read_as_a_title_is", "queries_find_their_cards"],
    ),
    (
        "4.2",
        "minPrice bounds prices below; sortBy price, sortOrder asc or desc",
        &["prices_bound_and_sort"],
    ),
    (
        "4.2",
        "limit is the number of results of a call",
        &["a_list_has_pages"],
    ),
    (
        "4.2",
        "marketplaceId returns one card",
        &["a_card_is_looked_up_by_its_marketplace_id"],
    ),
    (
        "4.2",
        "includeHistory and includeAuction cost 1 more a card, includeBoth asks for all",
        &["what_cards_cost"],
    ),
    (
        "4.2",
        "days is the window; 30 for graded sales",
        &[
            "graded_sales_are_keyed_by_grade",
            "history_is_daily_and_no_longer_than_asked_or_allowed",
        ],
    ),
    (
        "4.2",
        "maxDataPoints above 365 costs 1 more a card (3 with history) and needs Business",
        &["what_cards_cost", "the_plan_bounds_the_history"],
    ),
    (
        "4.2",
        "language is english, or japanese, for which all else is the same",
        &[
            "a_set_is_named_by_name_slug_code_or_id",
            "a_search_is_read_as_a_title_is",
            "parameters_of_cards_are_strict",
        ],
    ),
    (
        "4.2.1",
        "fetchAllInSet with set returns every card of it, within a bound",
        &["all_cards_of_a_set_are_one_request_of_a_tenth_of_their_calls"],
    ),
    (
        "4.2.2",
        "it counts as ceil(cards / 10) calls of the minute, 30 at most, and 1 credit a card",
        &[
            "all_cards_of_a_set_are_one_request_of_a_tenth_of_their_calls",
            "ten_at_once_are_a_call_and_no_request_is_more_than_thirty",
        ],
    ),
    (
        "4.2.3",
        "the answer is an object whose data is a list of cards",
        &["a_list_has_pages"],
    ),
    (
        "4.2.4",
        "a look-up by id takes the data options",
        &[
            "history_is_daily_and_no_longer_than_asked_or_allowed",
            "graded_sales_are_keyed_by_grade",
        ],
    ),
    (
        "4.3",
        "sealed products: marketplaceId, search, set, productType, includeHistory, days, language, limit",
        &[
            "sealed_products_have_prices_and_recent_sales",
            "sealed_products_are_narrowed_by_words_set_and_type",
        ],
    ),
    (
        "4.3",
        "language=japanese wants another filter",
        &["japanese_sealed_products_want_another_filter"],
    ),
    (
        "4.5",
        "population is for Business and Enterprise",
        &["plans_without_populations_get_403"],
    ),
    (
        "4.5",
        "marketplaceId: data is one object, or null where the card has none",
        &[
            "a_population_is_shown_by_grader",
            "a_card_without_data_is_null_for_one_credit",
        ],
    ),
    (
        "4.5",
        "marketplaceIds: at most 50, with commas",
        &["ids_are_billed_as_requested"],
    ),
    (
        "4.5",
        "minPopulation, grader, minGemRate (0 to 100), limit (20; 1 to 100), offset (0)",
        &["populations_are_filtered_and_paged"],
    ),
    (
        "2",
        "the columns of the four datasets",
        &["files_go_into_a_bucket_and_callers_are_led_there"],
    ),
    (
        "4.6",
        "type is cards (default), sealed, auction or population",
        &[
            "the_export_is_made_at_six_and_fetched_twice",
            "the_plan_says_who_may_export",
        ],
    ),
    (
        "4.6",
        "302 without a body, to a gzip-packed CSV file on object storage; Location is another one every day",
        &[
            "files_go_into_a_bucket_and_callers_are_led_there",
            "the_export_is_made_at_six_and_fetched_twice",
        ],
    ),
    (
        "4.6",
        "headers tell the downloads left, when they are whole again, and when the file was made",
        &["the_export_is_made_at_six_and_fetched_twice"],
    ),
    (
        "4.6",
        "files are made daily at 06:00 UTC, of UTF-8 with a header row and quoting after RFC 4180",
        &[
            "the_export_is_made_at_six_and_fetched_twice",
            "one_of_two_servers_makes_the_export",
        ],
    ),
    (
        "4.6",
        "each dataset has marketplaceId as its key",
        &["files_go_into_a_bucket_and_callers_are_led_there"],
    ),
    (
        "4.7",
        "v1 prices: name whatever its case, setId, number, id, limit 50, page 1",
        &[
            "prices_are_filtered_by_name_set_number_and_id",
            "prices_have_pages_of_fifty",
        ],
    ),
    (
        "4.7",
        "v1 sets: name whatever its case, sortBy name or releaseDate (default), sortOrder desc by default",
        &["v1_sets_are_filtered_by_name_and_sorted"],
    ),
    (
        "5.5",
        "population is refused with 403 to Free and API",
        &["plans_without_populations_get_403"],
    ),
    (
        "5.5",
        "export is refused with 403 to Free and API",
        &["the_plan_says_who_may_export"],
    ),
    (
        "7",
        "429 with Retry-After where the downloads of the day are used up",
        &["the_export_is_made_at_six_and_fetched_twice"],
    ),
    (
        "7",
        "503 with Retry-After, an hour, before the first export; it is not counted",
        &["the_export_is_made_at_six_and_fetched_twice"],
    ),
    (
        "8",
        "an export costs no credits; 2 downloads a day, whole again at midnight UTC",
        &["the_export_is_made_at_six_and_fetched_twice"],
    ),
    (
        "7",
        "400 for an invalid language, and for more than 50 ids",
        &[
            "parameters_of_cards_are_strict",
            "ids_are_billed_as_requested",
        ],
    ),
    (
        "7",
        "403 where the plan does not allow it",
        &[
            "plans_without_populations_get_403",
            "the_plan_bounds_the_history",
        ],
    ),
    (
        "8",
        "10 cards cost 10, with history 20, with all 30; a set of 26 cards 26",
        &["what_cards_cost"],
    ),
    (
        "8",
        "prices in EUR cost 1 more a card",
        &["prices_in_eur_are_an_addition", "what_cards_cost"],
    ),
    (
        "8",
        "populations cost 2 a card that is requested, a look-up without data 1",
        &[
            "ids_are_billed_as_requested",
            "a_card_without_data_is_null_for_one_credit",
        ],
    ),
    (
        "8",
        "history is 3 days on Free, 6 months on API, unlimited beyond",
        &["the_plan_bounds_the_history"],
    ),
    (
        "8",
        "v1 allows 200, 20,000 or 200,000 requests a day, 60 a minute",
        &[
            "each_request_of_v1_counts_one",
            "every_v1_response_carries_its_headers",
        ],
    ),
    (
        "9",
        "v1 has prices and sets alone",
        &["the_document_has_the_routes_that_there_are"],
    ),
];
