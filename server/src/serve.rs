//! [`Server`]: listens, answers, and stops without dropping what began.

use crate::app::{App, BATCHES};
use crate::auth::Directory;
use crate::catalogue::{CatalogueError, Reader};
use crate::clock::Clock;
use crate::config::Settings;
use crate::guard::PerMinute;
use crate::keys::NewKey;
use crate::ledger::Ledger;
use crate::market;
use crate::market::export::storage::Storage;
use crate::metrics::Metrics;
use crate::openapi::Document;
use crate::playground::{Playground, PlaygroundError};
use crate::proxies::Peer;
use crate::routes;
use crate::stall::Unstalled;
use crate::store::{KeyToStore, Store, StoreError};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tower::ServiceExt;

/// Bytes of a request's head.
const HEAD_BYTES: usize = 64 * 1024;
/// Connections at once to the address of the metrics.
const METRICS_CONNECTIONS: usize = 16;
/// Where a listener fails to accept, for want of files perhaps, it waits so long.
const ACCEPT_AGAIN: Duration = Duration::from_millis(50);

/// Why the service does not start.
#[derive(Debug)]
pub enum StartError {
    /// The database.
    Store(StoreError),
    /// The catalogue.
    Catalogue(CatalogueError),
    /// The playground.
    Playground(PlaygroundError),
    /// The address to listen on.
    Listen(String, std::io::Error),
    /// The system gives no random numbers.
    Random,
}

impl fmt::Display for StartError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(out),
            Self::Catalogue(error) => error.fmt(out),
            Self::Playground(error) => error.fmt(out),
            Self::Listen(address, _) => {
                write!(
                    out,
                    "cannot listen on {address}: give --listen an address of this computer and a free port"
                )
            }
            Self::Random => out
                .write_str("the system gives no random numbers: see that it has a source of them"),
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => error.source(),
            Self::Catalogue(error) => error.source(),
            Self::Playground(error) => error.source(),
            Self::Listen(_, error) => Some(error),
            Self::Random => None,
        }
    }
}

impl From<StoreError> for StartError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A service that listens.
#[derive(Debug)]
pub struct Server {
    /// Where.
    pub address: SocketAddr,
    /// Where metrics are read without a key.
    pub metrics_address: Option<SocketAddr>,
    /// The first administrator's key, where this start made it: its only copy.
    pub first_admin_key: Option<String>,
    /// What its requests share.
    pub app: Arc<App>,
    stop: watch::Sender<bool>,
    accepting: Vec<JoinHandle<()>>,
    keeping: Vec<JoinHandle<()>>,
}

impl Server {
    /// Opens database and catalogue, makes the first administrator's key where there is none, and listens.
    ///
    /// # Errors
    /// Where one of them cannot be had.
    pub async fn start(settings: Settings, clock: Clock) -> Result<Self, StartError> {
        let reader = Reader::open(settings.catalogue.clone()).map_err(StartError::Catalogue)?;
        let playground = settings
            .playground
            .as_deref()
            .map(Playground::open)
            .transpose()
            .map_err(StartError::Playground)?;
        let store = Store::open(&settings.database).await?;
        if settings.market.fill {
            market::fill::fill(&store, &reader.now()).await?;
        }
        let (listener, address) = bind(&settings.listen).await?;
        let metrics = match &settings.metrics_listen {
            Some(listen) => Some(bind(listen).await?),
            None => None,
        };
        let new = NewKey::make(true).map_err(|_| StartError::Random)?;
        let first = KeyToStore {
            account: None,
            name: "first",
            prefix: &new.prefix,
            hash: &new.hash,
            most_today: None,
        };
        let made = store.create_first_admin_key(first, clock.now()).await?;
        let plans = Arc::new(settings.plans.clone());
        let directory = Directory::open(store.clone(), Arc::clone(&plans)).await?;
        let ledger = Ledger::new(store.clone(), clock.clone());
        let exports = Storage::of(&settings.exports, &store).await?;
        let mut keeping = vec![
            tokio::spawn(Arc::clone(&ledger).sweep()),
            tokio::spawn(Arc::clone(&directory).watch()),
        ];
        if settings.exports.daily {
            market::export::daily::begin(&store, &clock).await?;
            keeping.push(tokio::spawn(market::export::daily::keep(
                store.clone(),
                exports.clone(),
                clock,
            )));
        }
        let app = Arc::new(App {
            requests: Semaphore::new(settings.limits.requests),
            batches: Semaphore::new(BATCHES),
            wrong_keys: PerMinute::new(settings.limits.wrong_keys),
            account_calls: PerMinute::new(settings.limits.account_calls),
            card_pages: PerMinute::new(routes::card_page::PAGES_A_MINUTE),
            exports,
            metrics: Metrics::default(),
            stopping: AtomicBool::new(false),
            document: Document::new(&plans),
            settings,
            store,
            plans,
            directory,
            ledger,
            reader,
            playground,
        });
        let (stop, stopped) = watch::channel(false);
        let connections = app.settings.limits.connections;
        let router = routes::router(Arc::clone(&app));
        let mut accepting = vec![tokio::spawn(accept(
            listener,
            router,
            connections,
            Arc::clone(&app),
            stopped.clone(),
        ))];
        let metrics_address = metrics.as_ref().map(|(_, address)| *address);
        if let Some((listener, _)) = metrics {
            let router = routes::metrics::alone(Arc::clone(&app));
            accepting.push(tokio::spawn(accept(
                listener,
                router,
                METRICS_CONNECTIONS,
                Arc::clone(&app),
                stopped,
            )));
        }
        Ok(Self {
            address,
            metrics_address,
            first_admin_key: made.then_some(new.text),
            app,
            stop,
            accepting,
            keeping,
        })
    }

    /// Opens the catalogue anew; one that is refused is logged, and the one that was there stays.
    pub async fn reload(&self) {
        let app = Arc::clone(&self.app);
        match tokio::task::spawn_blocking(move || app.reader.reload()).await {
            Ok(Ok(changed)) => tracing::info!(
                version = self.app.reader.now().version,
                changed,
                "catalogue opened anew"
            ),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the catalogue was refused; the one that was there stays")
            }
            Err(error) => tracing::error!(%error, "the catalogue was not opened"),
        }
    }

    /// Takes no more connections, finishes what began, gives leased credits back.
    pub async fn stop(self) {
        self.app.stopping.store(true, Ordering::SeqCst);
        let _ = self.stop.send(true);
        for accepting in self.accepting {
            if let Err(error) = accepting.await {
                tracing::error!(%error, "connections did not end as they should");
            }
        }
        // before the sweep ends: what it has in its hands must arrive
        self.app.ledger.close().await;
        for task in self.keeping {
            task.abort();
        }
        self.app.store.close().await;
    }
}

async fn bind(listen: &str) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |error| StartError::Listen(listen.to_owned(), error);
    let listener = TcpListener::bind(listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// A connection that is counted as open for as long as this lives.
struct Open(Arc<App>);

impl Open {
    fn count(app: &Arc<App>) -> Self {
        app.metrics.accepted.fetch_add(1, Ordering::Relaxed);
        app.metrics.connections.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(app))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.metrics.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Serves connections until it is time to stop, then waits for those that are busy.
async fn accept(
    listener: TcpListener,
    router: Router,
    connections: usize,
    app: Arc<App>,
    mut stopped: watch::Receiver<bool>,
) {
    let limits = app.settings.limits;
    let room = Arc::new(Semaphore::new(connections));
    let mut http = hyper::server::conn::http1::Builder::new();
    // without `pipeline_flush`: hyper then holds a stream whole in memory, however slowly it is read
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_buf_size(HEAD_BYTES);
    let graceful = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            accepted = async {
                let room = Arc::clone(&room).acquire_owned().await;
                (listener.accept().await, room)
            } => accepted,
            _ = stopped.wait_for(|stop| *stop) => break,
        };
        let (Ok((stream, peer)), Ok(place)) = accepted else {
            tokio::time::sleep(ACCEPT_AGAIN).await;
            continue;
        };
        // answers are small and written whole
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer.ip()));
            router.clone().oneshot(request)
        });
        let stream = TokioIo::new(Unstalled::new(stream, limits.write_time));
        let connection = graceful.watch(http.serve_connection(stream, service));
        let open = Open::count(&app);
        tokio::spawn(async move {
            // a connection that ends badly is its caller's affair
            let _ = connection.await;
            drop((place, open));
        });
    }
    drop(listener);
    if tokio::time::timeout(limits.stop_time, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("some requests did not finish in time");
    }
}
