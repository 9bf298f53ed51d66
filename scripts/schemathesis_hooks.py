"""What scripts/schemathesis alters in requests: the keys that it uses itself are not revoked."""
import os

import schemathesis

IN_USE = set(os.environ["KEYS_IN_USE"].split(","))


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.method.upper() == "DELETE" and str((case.path_parameters or {}).get("id")) in IN_USE:
        case.path_parameters["id"] = 999_999


def given(query, *names):
    return [name for name in names if name in query]


@schemathesis.hook
def filter_query(context, query):
    """Parameters that are right each and refused together: the document has no words for that, `server/tests/service/market` holds it."""
    if not query:
        return True
    operation = (context.operation.definition.raw or {}).get("operationId")
    one = "marketplaceId" in query
    if operation == "listCards":
        whole = query.get("fetchAllInSet") in (True, "true")
        low, high = query.get("minPrice"), query.get("maxPrice")
        return not (
            one and given(query, "set", "setId", "search", "minPrice", "maxPrice", "fetchAllInSet", "offset")
            or len(given(query, "set", "setId")) == 2
            or whole and (given(query, "search", "limit", "offset") or not given(query, "set", "setId"))
            or "sortOrder" in query and "sortBy" not in query
            or low is not None and high is not None
        )
    if operation == "listSealedProducts":
        filters = given(query, "search", "set", "setId", "productType")
        japanese = query.get("language") == "japanese"
        return not (one and filters or len(given(query, "set", "setId")) == 2 or japanese and not filters and not one)
    if operation == "listPopulations":
        ids = given(query, "marketplaceId", "marketplaceIds")
        return not (len(ids) == 2 or ids and given(query, "minPopulation", "grader", "minGemRate", "limit", "offset"))
    return True
