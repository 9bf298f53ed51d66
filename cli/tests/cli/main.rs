//! Runs the real binary: streams, bad input, catalogues, explanations and scores, as a user meets
//! them.

#[cfg(feature = "games")]
mod answer;
mod batch;
mod catalogue;
mod contents;
mod explain;
mod folders;
mod forms;
#[cfg(feature = "games")]
mod games;
mod import;
#[cfg(feature = "games")]
mod listed_games;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod parse;
mod resume;
mod score;
mod search;
mod shell;
mod sources;
mod support;
mod surfaces;
#[cfg(unix)]
mod tasks;
mod usage;
