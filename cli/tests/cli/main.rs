//! Runs the real binary: streams, bad input, catalogues, explanations and scores, as a user meets them.

mod batch;
mod catalogue;
mod corpus;
mod explain;
mod parse;
mod resume;
mod score;
mod support;
mod usage;
