//! [`Server`]: listens, answers, and shuts down gracefully.

use crate::app::{App, Parts};
use crate::auth::Directory;
use crate::catalogue::{CatalogueError, Reader};
use crate::clock::Clock;
use crate::compression;
use crate::config::Settings;
use crate::connections::Connections;
use crate::credits::Ledger;
use crate::described::Described;
use crate::framing::{self, Framed, HEAD_BYTES, Requests};
use crate::guard::PerMinute;
use crate::keys::NewKey;
use crate::market;
use crate::market::export::storage::Storage;
use crate::market::intake::Intake;
use crate::market::intake::watch::Watch;
use crate::metrics::Metrics;
use crate::middleware::Gate;
use crate::playground::{Playground, PlaygroundError};
use crate::proxies::Peer;
use crate::routes;
use crate::shares::Shares;
use crate::store::{Actor, KeyToStore, Store, StoreError};
use crate::write_timeout::WriteTimeout;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

/// Connections at once to the address of the metrics.
const METRICS_CONNECTIONS: usize = 16;
/// How long a listener waits after it fails to accept, for example because no file is free.
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
    /// The system provides no random numbers.
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

/// A running service.
#[derive(Debug)]
pub struct Server {
    /// Where.
    pub address: SocketAddr,
    /// Where metrics are read without a key.
    pub metrics_address: Option<SocketAddr>,
    /// The first administrator's key, if this start made it. This is its only copy.
    pub first_admin_key: Option<String>,
    /// The parts of the service.
    pub app: App,
    stop: watch::Sender<bool>,
    accepting: Vec<JoinHandle<()>>,
    keeping: Vec<JoinHandle<()>>,
}

impl Server {
    /// Opens the catalogue, listens, opens the database, and makes the first administrator's key if
    /// there is no such key. A start that fails for want of its address leaves no database behind.
    ///
    /// # Errors
    /// If one of them fails.
    pub async fn start(settings: Settings, clock: Clock) -> Result<Self, StartError> {
        let reader = Reader::open(settings.catalogue.clone(), &settings.games)
            .map_err(StartError::Catalogue)?;
        let playground = settings
            .playground
            .as_deref()
            .map(Playground::open)
            .transpose()
            .map_err(StartError::Playground)?;
        let (listener, address) = bind(&settings.listen).await?;
        let metrics_listener = match &settings.metrics_listen {
            Some(listen) => Some(bind(listen).await?),
            None => None,
        };
        let store = Store::open(&settings.database).await?;
        if settings.market.fill {
            market::seed_store::seed_store(&store, &reader.now()).await?;
        }
        let plans = Arc::new(settings.plans.clone());
        let directory = Directory::open(store.clone(), Arc::clone(&plans)).await?;
        let ledger = Ledger::new(store.clone(), clock.clone()).map_err(|_| StartError::Random)?;
        let reader = Arc::new(reader);
        let intake = Intake::new(&settings, &store, Arc::clone(&reader), clock.clone())
            .map_err(|_| StartError::Random)?;
        let watched = settings.imports.watch.as_deref();
        let watch = watched.map(|folder| Arc::new(Watch::new(Arc::clone(&intake), folder)));
        let exports = Storage::new(&settings.exports.storage, &store);
        if settings.exports.daily {
            market::export::daily::begin(&store, &clock).await?;
        }
        // the last step that may fail: the key's text is here alone
        let first_admin_key = first_admin_key(&store, &clock).await?;
        let mut keeping = vec![
            tokio::spawn(Arc::clone(&ledger).sweep()),
            tokio::spawn(Arc::clone(&directory).watch()),
        ];
        if let Some(watch) = &watch {
            keeping.push(tokio::spawn(Arc::clone(watch).keep()));
        }
        if settings.exports.daily {
            keeping.push(tokio::spawn(market::export::daily::keep(
                store.clone(),
                exports.clone(),
                clock,
                watch,
            )));
        }
        let metrics = Arc::new(Metrics::default());
        let limits = settings.limits;
        let gate = Gate {
            cors: settings.cors.clone(),
            proxies: settings.proxies.clone(),
            limits,
            directory: Arc::clone(&directory),
            ledger: Arc::clone(&ledger),
            metrics: Arc::clone(&metrics),
            requests: Semaphore::new(limits.requests),
            shares: Shares::new(limits.account_requests),
            wrong_keys: PerMinute::new(limits.wrong_keys),
            account_calls: PerMinute::new(limits.account_calls),
        };
        let described = Described::new(
            routes::api(),
            Arc::clone(&plans),
            settings.market.clone(),
            reader.now().games().open(),
        );
        let app = App::new(Parts {
            described,
            gate: Arc::new(gate),
            card_pages: Arc::new(PerMinute::new(routes::site::PAGES_A_MINUTE)),
            exports,
            intake,
            metrics,
            stopping: Arc::default(),
            settings,
            store,
            plans,
            directory,
            ledger,
            reader,
            closed_games: Arc::default(),
            product_searches: Arc::default(),
            playground: playground.map(Arc::new),
        });
        let metrics_address = metrics_listener.as_ref().map(|(_, address)| *address);
        let metrics_listener = metrics_listener.map(|(listener, _)| listener);
        let (stop, accepting) = accept_all(&app, listener, metrics_listener);
        Ok(Self {
            address,
            metrics_address,
            first_admin_key,
            app,
            stop,
            accepting,
            keeping,
        })
    }

    /// Reopens the catalogue. A refused one is logged, and the previous one stays.
    pub async fn reload(&self) {
        let app = self.app.clone();
        match tokio::task::spawn_blocking(move || app.reader.reload()).await {
            Ok(Ok(changed)) => tracing::info!(
                version = self.app.reader.now().version,
                changed,
                "catalogue reloaded"
            ),
            Ok(Err(error)) => {
                tracing::warn!(%error, "the catalogue was refused; the previous one stays")
            }
            Err(error) => tracing::error!(%error, "the catalogue could not be reloaded"),
        }
    }

    /// Stops accepting connections, finishes running requests, and returns leased credits.
    pub async fn stop(self) {
        self.app.stopping.store(true, Ordering::SeqCst);
        let _ = self.stop.send(true);
        for accepting in self.accepting {
            if let Err(error) = accepting.await {
                tracing::error!(%error, "a listener failed");
            }
        }
        // before the sweep is aborted, so that returns under way arrive
        self.app.ledger.close().await;
        for task in self.keeping {
            task.abort();
        }
        self.app.store.close().await;
    }
}

/// Makes the first administrator's key, if there is no such key; the key's text.
async fn first_admin_key(store: &Store, clock: &Clock) -> Result<Option<String>, StartError> {
    let new = NewKey::make(true).map_err(|_| StartError::Random)?;
    let first = KeyToStore {
        account: None,
        name: "first",
        prefix: &new.prefix,
        hash: &new.hash,
        most_today: None,
        expires: None,
        replaces: None,
        by: Actor::Operator,
    };
    let made = store.create_first_admin_key(first, clock.now()).await?;
    Ok(made.then_some(new.text))
}

/// Begins to accept connections, those to the address of the metrics among them; what stops it.
fn accept_all(
    app: &App,
    listener: TcpListener,
    metrics: Option<TcpListener>,
) -> (watch::Sender<bool>, Vec<JoinHandle<()>>) {
    let (stop, stopped) = watch::channel(false);
    let limits = app.settings.limits;
    let by_address = |most| Connections::new(most, app.settings.proxies.clone());
    let service = Listening {
        router: routes::router(app.clone()),
        connections: limits.connections,
        by_address: by_address(limits.address_connections),
        app: app.clone(),
    };
    let mut accepting = vec![tokio::spawn(accept(listener, service, stopped.clone()))];
    if let Some(listener) = metrics {
        let service = Listening {
            router: routes::metrics::alone(app.clone()),
            connections: METRICS_CONNECTIONS,
            by_address: by_address(METRICS_CONNECTIONS),
            app: app.clone(),
        };
        accepting.push(tokio::spawn(accept(listener, service, stopped)));
    }
    (stop, accepting)
}

async fn bind(listen: &str) -> Result<(TcpListener, SocketAddr), StartError> {
    let failed = |error| StartError::Listen(listen.to_owned(), error);
    let listener = TcpListener::bind(listen).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    Ok((listener, address))
}

/// Counts a connection as open until it is dropped.
struct Open(Arc<Metrics>);

impl Open {
    fn count(metrics: &Arc<Metrics>) -> Self {
        metrics.accepted.fetch_add(1, Ordering::Relaxed);
        metrics.connections.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(metrics))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What is served at an address.
struct Listening {
    router: Router,
    /// Connections at once.
    connections: usize,
    by_address: Arc<Connections>,
    app: App,
}

/// Serves connections until the service stops, then waits for busy ones.
async fn accept(listener: TcpListener, service: Listening, mut stopped: watch::Receiver<bool>) {
    let Listening {
        router,
        connections,
        by_address,
        app,
    } = service;
    let (limits, metrics) = (app.settings.limits, Arc::clone(&app.metrics));
    let room = Arc::new(Semaphore::new(connections));
    let mut http = hyper::server::conn::http1::Builder::new();
    // without `pipeline_flush`, with which hyper holds a whole stream in memory, however slowly it
    // is read
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
        let Some(counted) = by_address.open(peer.ip()) else {
            metrics.refused.fetch_add(1, Ordering::Relaxed);
            by_address.log_refused(peer.ip(), app.ledger.clock().now());
            continue;
        };
        // answers are small and written in one piece
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let requests = Requests::new();
        let stream = Framed::new(
            WriteTimeout::new(stream, limits.write_time),
            requests.clone(),
        );
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let chunked = requests.follow(&request);
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(Peer(peer.ip()));
            let answer = compression::answer(router.clone(), request);
            async move {
                let mut answer = answer.await;
                if let (true, Ok(answer)) = (chunked, &mut answer) {
                    framing::close(answer);
                }
                answer
            }
        });
        let stream = TokioIo::new(stream);
        let connection = graceful.watch(http.serve_connection(stream, service));
        let open = Open::count(&metrics);
        tokio::spawn(async move {
            // a connection error concerns only its caller
            let _ = connection.await;
            drop((place, counted, open));
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
