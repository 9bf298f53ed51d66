// Links to marketplaces and pictures from them, by the ids that the catalogue has for a printing. Addresses are data: shops.json.

let loading;

/** The shops, loaded once. */
export function shops() {
  loading ??= fetch(new URL("shops.json", import.meta.url)).then((response) => response.json());
  return loading;
}

/** The pages of a card's printing at the shops that sell it. */
export function links({ ids = {}, game = "pokemon" }, all) {
  return all.flatMap(({ id, name, page, games }) => {
    const product = ids[id];
    const place = games ? games[game] : "";
    return Number.isSafeInteger(product) && place !== undefined ? [{ name, address: page.replace("{game}", place).replace("{id}", String(product)) }] : [];
  });
}

/** The address of a card's picture at the first shop that has one, or undefined. */
export function picture({ ids = {} }, all) {
  const shop = all.find(({ id, picture }) => picture && Number.isSafeInteger(ids[id]));
  return shop?.picture.replace("{id}", String(ids[shop.id]));
}
