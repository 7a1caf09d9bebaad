//! Lists and watches.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use super::{Error, Resource, Selection, Watch, parse};
use crate::host;

/// Begins to choose what to list; nothing is asked yet. Needs `list` in every namespace that it covers.
#[must_use]
pub fn list(resource: &Resource) -> List {
    List { resource: resource.clone(), selection: Selection::default() }
}

/// What to list.
#[derive(Debug, Clone)]
pub struct List {
    resource: Resource,
    selection: Selection,
}

impl List {
    /// Only this namespace.
    #[must_use]
    pub fn namespace(mut self, namespace: impl Into<String>) -> Self {
        self.selection.namespace = Some(namespace.into());
        self
    }

    /// Only what this label selector takes, in kubectl's form.
    #[must_use]
    pub fn labels(mut self, selector: impl Into<String>) -> Self {
        self.selection.label_selector = selector.into();
        self
    }

    /// Only what this field selector takes, in kubectl's form.
    #[must_use]
    pub fn field_selector(mut self, selector: impl Into<String>) -> Self {
        self.selection.field_selector = selector.into();
        self
    }

    /// Only these fields; a path goes through lists. Name, namespace and uid are always there.
    #[must_use]
    pub fn keep<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.selection.cut.keep.extend(fields.into_iter().map(Into::into));
        self
    }

    /// All but these fields.
    #[must_use]
    pub fn omit<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.selection.cut.omit.extend(fields.into_iter().map(Into::into));
        self
    }

    /// From the cluster as it is now, and not from the state that the run shares.
    #[must_use]
    pub fn fresh(mut self) -> Self {
        self.selection.fresh = true;
        self
    }

    /// Reads the list object by object. After an error there is nothing more.
    #[must_use]
    pub fn objects<T: DeserializeOwned>(self) -> Objects<T> {
        Objects { pages: self.pages(), page: Vec::new().into_iter(), object: PhantomData }
    }

    /// Reads the list page by page, as JSON texts. After an error there is nothing more.
    #[must_use]
    pub fn pages(self) -> Pages {
        Pages { list: Some(self), cursor: None }
    }

    /// Watches instead, beginning with what is there. Needs `watch` too.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn watch<T: DeserializeOwned>(self) -> Result<Watch<T>, Error> {
        Ok(Watch::new(host::watch(&self.resource, &self.selection)?))
    }
}

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The objects as JSON texts, sorted by namespace, then name.
    pub items: Vec<Vec<u8>>,
    /// How many more there are; `None` when that is not known.
    pub remaining: Option<u64>,
}

/// A list, page by page.
#[derive(Debug)]
pub struct Pages {
    list: Option<List>,
    cursor: Option<host::Cursor>,
}

impl Iterator for Pages {
    type Item = Result<Page, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(list) = self.list.take() {
            match host::list(&list.resource, &list.selection) {
                Ok(cursor) => self.cursor = Some(cursor),
                Err(error) => return Some(Err(error)),
            }
        }
        let page = self.cursor.as_mut()?.next().transpose();
        if !matches!(page, Some(Ok(_))) {
            self.cursor = None;
        }
        page
    }
}

/// A list, object by object.
#[derive(Debug)]
pub struct Objects<T> {
    pages: Pages,
    page: std::vec::IntoIter<Vec<u8>>,
    object: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned> Iterator for Objects<T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(object) = self.page.next() {
                let object = parse(&object);
                if object.is_err() {
                    self.page = Vec::new().into_iter();
                    self.pages.cursor = None;
                }
                return Some(object);
            }
            match self.pages.next()? {
                Ok(page) => self.page = page.items.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}
