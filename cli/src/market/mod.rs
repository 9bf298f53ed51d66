//! What keeps the market of the service: `titledex import`, `market synthetic`, `review` and `export`.

pub(crate) mod args;
pub(crate) mod catalogue;
pub(crate) mod import;
pub(crate) mod synthetic;
mod table;
