//! The connection to an object store: objects that are created, read and listed.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, mpsc};

use anyhow::{Context as _, Error, Result, anyhow, bail, ensure};
use futures::{StreamExt as _, TryStreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutPayload, parse_url_opts};
use tokio::runtime::{self, Runtime};
use url::Url;

use crate::pipeline::Disk;

/// The beginning of the variables with keys, region and endpoint of S3.
const VARIABLES: &str = "AWS_";

/// The folder of the objects by which a store is tried.
const PROBES: &str = ".probe";

/// The greatest object that is read: as large as the greatest file of a session.
const MAX_OBJECT_BYTES: u64 = 1 << 30;

/// A connection to an object store.
pub(super) struct Connection {
    runtime: Runtime,
    objects: Arc<dyn ObjectStore>,
    root: Path,
}

impl Connection {
    /// Prepares the connection to `s3://BUCKET/PREFIX` or `file:///DIRECTORY`; nothing is sent yet.
    /// Keys, region and endpoint of S3 are those of
    /// the environment (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL` and so on).
    pub(super) fn open(url: &str) -> Result<Self> {
        ensure!(
            !url.is_empty(),
            "no object store is named: give its address with --store or in store.url of the \
             settings, such as s3://BUCKET/PREFIX"
        );
        let parsed = Url::parse(url).with_context(|| {
            format!("{url:?} is not the address of an object store, such as s3://BUCKET/PREFIX")
        })?;
        let (objects, root) = match parsed.scheme() {
            "file" => open_directory(&parsed),
            "s3" => open_bucket(&parsed),
            other => bail!("{url}: stores are at s3:// or file://, not at {other}://"),
        }
        .with_context(|| format!("failed to open the store {url}"))?;
        let runtime = runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("store")
            .enable_all()
            .build()
            .context("failed to start the thread of the object store")?;
        Ok(Self {
            runtime,
            objects,
            root,
        })
    }

    /// Creates an object; `false` if there is one of this name.
    pub(super) fn create(&self, name: &str, bytes: Vec<u8>) -> Result<bool> {
        let (objects, path) = (self.objects.clone(), self.path(name)?);
        let put = async move {
            let payload = PutPayload::from(bytes);
            objects
                .put_opts(&path, payload, PutMode::Create.into())
                .await
        };
        match self.wait(put)? {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(failed("write", name, error)),
        }
    }

    /// The bytes of an object; `None` if there is none.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let (objects, path) = (self.objects.clone(), self.path(name)?);
        let get = async move {
            let object = objects.get(&path).await?;
            if object.meta.size > MAX_OBJECT_BYTES {
                return Ok(None);
            }
            object.bytes().await.map(Some)
        };
        match self.wait(get)? {
            Ok(Some(bytes)) => Ok(Some(bytes.to_vec())),
            Ok(None) => bail!("{name} of the store is too large"),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed("read", name, error)),
        }
    }

    /// The last name in a folder, in the order of bytes; `None` for an empty folder.
    pub(super) fn last(&self, folder: &str) -> Result<Option<String>> {
        let (objects, path) = (self.objects.clone(), self.path(folder)?);
        let last = async move {
            let mut listed = objects.list(Some(&path));
            let mut last: Option<String> = None;
            while let Some(object) = listed.next().await {
                let name = object?.location.filename().map(str::to_owned);
                last = last.max(name);
            }
            Ok(last)
        };
        self.wait(last)?
            .map_err(|error: object_store::Error| failed("list", folder, error))
    }

    /// For each folder at the root with this subfolder: the last name in it, in the order of bytes.
    /// One listing, however many there are.
    pub(super) fn last_of_all(&self, subfolder: &'static str) -> Result<BTreeMap<String, String>> {
        let (objects, root) = (self.objects.clone(), self.root.clone());
        let last = async move {
            let mut listed = objects.list(Some(&root));
            let mut last: BTreeMap<String, String> = BTreeMap::new();
            while let Some(object) = listed.next().await {
                let location = object?.location;
                let parts: Vec<_> = location.prefix_match(&root).into_iter().flatten().collect();
                if let [folder, own, name] = parts.as_slice()
                    && own.as_ref() == subfolder
                {
                    let last = last.entry(folder.as_ref().to_owned()).or_default();
                    if name.as_ref() > last.as_str() {
                        name.as_ref().clone_into(last);
                    }
                }
            }
            Ok(last)
        };
        self.wait(last)?
            .map_err(|error: object_store::Error| failed("list", "its sessions", error))
    }

    /// Removes a folder with all that is in it.
    pub(super) fn remove(&self, folder: &str) -> Result<()> {
        let (objects, path) = (self.objects.clone(), self.path(folder)?);
        let remove = async move {
            let locations = objects.list(Some(&path)).map_ok(|object| object.location);
            let locations = locations.try_collect::<Vec<_>>().await?;
            for location in locations {
                objects.delete(&location).await?;
            }
            Ok(())
        };
        self.wait(remove)?
            .map_err(|error: object_store::Error| failed("remove", folder, error))
    }

    /// Shows that the store refuses to create an object a second time, on which all else depends.
    ///
    /// # Errors
    /// When it does not, or cannot be written.
    pub(super) fn check(&self) -> Result<()> {
        let folder = format!("{PROBES}/{}", random_name()?);
        let name = format!("{folder}/probe");
        // Different bytes, so that a store that overwrites in silence is seen by what it has then.
        let created =
            [b"first".to_vec(), b"second".to_vec()].map(|bytes| self.create(&name, bytes));
        let stored = self.read(&name);
        let removed = self.remove(&folder);
        let [first, second] = created;
        ensure!(first?, "{name} was there already");
        ensure!(
            !second? && stored?.as_deref() == Some(b"first"),
            "the store overwrites an object although it may only create one: two workers could \
             write one session"
        );
        removed
    }

    fn path(&self, name: &str) -> Result<Path> {
        let path = name
            .split('/')
            .fold(self.root.clone(), |path, part| path.join(part));
        ensure!(!name.is_empty(), "an object has no name");
        Ok(path)
    }

    /// Waits for a future on the store's own thread, from any other one: those of other runtimes
    /// too, which may not wait for a runtime.
    fn wait<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> Result<T> {
        // Not `block_on`, which panics on a thread of another runtime, where journals are written.
        let (sender, receiver) = mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            // Only a caller that is gone does not take it.
            let _ = sender.send(future.await);
        });
        receiver
            .recv()
            .context("the thread of the object store has ended")
    }
}

/// A store in a directory that machines share.
fn open_directory(url: &Url) -> Result<(Arc<dyn ObjectStore>, Path)> {
    let directory = url.to_file_path();
    let directory = directory.map_err(|()| anyhow!("it names no directory"))?;
    Disk::default().create_directory(&directory)?;
    let objects = LocalFileSystem::new_with_prefix(&directory)?
        .with_fsync(true)
        .with_automatic_cleanup(true);
    Ok((Arc::new(objects), Path::default()))
}

/// A bucket of S3, with the keys of the environment.
fn open_bucket(url: &Url) -> Result<(Arc<dyn ObjectStore>, Path)> {
    // Whichever provider is installed first serves the whole process.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let variables = std::env::vars().filter(|(name, _)| name.starts_with(VARIABLES));
    let (objects, root) = parse_url_opts(url, variables)?;
    Ok((Arc::from(objects), root))
}

/// An error of the store. Each of its causes repeats those below, so that only the last one is
/// told; of a reply of S3, which is XML, the message.
fn failed(verb: &str, name: &str, error: object_store::Error) -> Error {
    let cause = Error::new(error).root_cause().to_string();
    let message = match (element(&cause, "Code"), element(&cause, "Message")) {
        (Some(code), Some(message)) => format!("{message} ({code})"),
        _ => cause.lines().next().unwrap_or_default().to_owned(),
    };
    anyhow!("failed to {verb} {name} in the object store: {message}")
}

/// The text of an element without others in it.
fn element<'a>(xml: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("<{name}>"))?;
    Some(rest.split_once('<')?.0)
}

/// A name that nothing else has.
pub(super) fn random_name() -> Result<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).context("failed to get random bytes")?;
    Ok(format!("{:016x}", u64::from_be_bytes(bytes)))
}
