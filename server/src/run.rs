//! [`serve`]: the service as a process, with its logs and signals.

use crate::clock::Clock;
use crate::config::{Logs, Settings};
use crate::log::{self, LogWriter, line};
use crate::market::export::ExportError;
use crate::serve::{Server, StartError};
use crate::store::StoreError;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

/// How long the last lines of the log may take.
const LAST_LINES: Duration = Duration::from_secs(2);

/// Why a command fails.
#[derive(Debug)]
pub enum RunError {
    /// The service does not start.
    Start(StartError),
    /// The database.
    Store(StoreError),
    /// The system provides no threads, timers or signals.
    Runtime(io::Error),
    /// The system provides no random numbers.
    Random,
    /// An export.
    Export(ExportError),
    /// The task cannot be done, for the reason in this sentence.
    Refused(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start(error) => error.fmt(out),
            Self::Store(error) => error.fmt(out),
            Self::Runtime(_) => out.write_str(
                "the system does not give the threads, timers or signals that the service needs",
            ),
            Self::Random => out
                .write_str("the system gives no random numbers: see that it has a source of them"),
            Self::Export(error) => error.fmt(out),
            Self::Refused(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Start(error) => error.source(),
            Self::Store(error) => error.source(),
            Self::Runtime(error) => Some(error),
            Self::Export(error) => error.source(),
            Self::Random | Self::Refused(_) => None,
        }
    }
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Runs the service until SIGTERM or SIGINT. SIGHUP reopens the catalogue.
///
/// # Errors
/// If it does not start.
pub fn serve(settings: Settings) -> Result<(), RunError> {
    begin_log(settings.logs).map_err(RunError::Runtime)?;
    raise_open_files(settings.limits.connections);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(RunError::Runtime)?;
    let done = runtime.block_on(until_told(settings));
    log::flush(LAST_LINES);
    done
}

async fn until_told(settings: Settings) -> Result<(), RunError> {
    let mut terminate = signal(SignalKind::terminate()).map_err(RunError::Runtime)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(RunError::Runtime)?;
    let mut hang_up = signal(SignalKind::hangup()).map_err(RunError::Runtime)?;
    let server = Server::start(settings, Clock::System)
        .await
        .map_err(RunError::Start)?;
    greet(&server);
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            _ = hang_up.recv() => server.reload().await,
        }
    }
    tracing::info!("stopping: running requests are finished");
    server.stop().await;
    tracing::info!("stopped");
    Ok(())
}

/// Raises the limit of open files to the most that the system allows, and logs it. Every connection
/// is a file.
fn raise_open_files(connections: usize) {
    /// Files that are open besides connections: the database, the catalogue, exports.
    const OTHERS: u64 = 64;
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let allowed = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    let wanted = (connections as u64).saturating_add(OTHERS);
    match allowed {
        Some(files) if files < wanted => tracing::warn!(
            files,
            connections,
            "the system allows fewer open files than connections: raise its limit (ulimit -n, LimitNOFILE), or connections wait"
        ),
        files => tracing::info!(files, "open files"),
    }
}

/// Prints the address of the service and the first key. A closed standard output does not stop the
/// service.
fn greet(server: &Server) {
    let mut out = io::stdout().lock();
    if let Some(key) = &server.first_admin_key {
        let _ = writeln!(out, "administrator's key, shown this once: {key}");
    }
    let _ = writeln!(out, "listening on http://{}", server.address);
    if let Some(address) = server.metrics_address {
        let _ = writeln!(out, "metrics on http://{address}/metrics");
    }
    let _ = out.flush();
    let version = &server.app.reader.now().version;
    tracing::info!(address = %server.address, database = server.app.store.kind(), catalogue = version, "listening");
}

/// Logs to standard error. Of a panic only its place is logged, because its message may hold a
/// title.
fn begin_log(logs: Logs) -> io::Result<()> {
    let writer = LogWriter::start()?;
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // a failure of the log would itself be written to standard error, and panic there
        .log_internal_errors(false)
        .with_writer(writer);
    // a second start in one process keeps the logs of the first
    let _ = match logs {
        Logs::Text => subscriber
            .with_ansi(false)
            .with_timer(line::Now)
            .fmt_fields(line::Fields)
            .try_init(),
        Logs::Json => subscriber.json().flatten_event(true).try_init(),
    };
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map(ToString::to_string)
            .unwrap_or_default();
        tracing::error!(place, "a panic: please report it");
    }));
    Ok(())
}
