//! The daily export: four datasets as gzip-packed CSV, made from the store and fetched at signed
//! addresses.

pub mod bucket;
mod connection;
pub mod daily;
mod dataset;
mod error;
mod files;
mod make;
mod rows;
pub mod storage;

pub use dataset::Dataset;
pub use error::ExportError;
pub(crate) use files::pieces;
pub use make::export;
