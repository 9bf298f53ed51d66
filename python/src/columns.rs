//! Columns: values are added one after another, and an Arrow array comes out.

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int32Builder, StringBuilder,
};
use arrow_array::{Array, ArrayRef, ListArray, StructArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::Field;
use std::borrow::Cow;
use std::sync::Arc;
use titledex::GradeValue;

/// How much of an answer is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// All that JSON has.
    Full,
    /// Without the title, and without what explains the rest: spans, alternatives, unread words,
    /// evidence.
    Brief,
}

/// A column under construction.
pub(crate) trait Column {
    /// An empty one.
    fn new(detail: Detail) -> Self;
    /// Adds a null.
    fn null(&mut self);
    /// The array of what was added, unless the column is left out.
    fn finish(&mut self) -> Option<ArrayRef>;
}

/// A column of `V`.
pub(crate) trait Takes<V>: Column {
    /// Adds a value.
    fn push(&mut self, value: V);

    /// Adds a value or a null.
    fn give(&mut self, value: Option<V>) {
        match value {
            Some(value) => self.push(value),
            None => self.null(),
        }
    }
}

macro_rules! plain {
    ($(#[$doc:meta])* $name:ident: $builder:ty, |$value:ident: $taken:ty| $made:expr) => {
        $(#[$doc])*
        pub(crate) struct $name($builder);

        impl Column for $name {
            fn new(_: Detail) -> Self {
                Self(<$builder>::new())
            }

            fn null(&mut self) {
                self.0.append_null();
            }

            fn finish(&mut self) -> Option<ArrayRef> {
                Some(ArrayBuilder::finish(&mut self.0))
            }
        }

        impl Takes<$taken> for $name {
            fn push(&mut self, $value: $taken) {
                self.0.append_value($made);
            }
        }
    };
}

plain!(
    /// Text.
    Text: StringBuilder, |value: &str| value
);
plain!(
    /// Numbers that JSON writes as short decimals: the same decimals, in 64 bits.
    Decimal: Float64Builder, |value: f32| decimal(value)
);
plain!(
    /// Whole numbers. Signed, since Spark has no unsigned type.
    Whole: Int32Builder, |value: u32| i32::try_from(value).unwrap_or(i32::MAX)
);

plain!(
    /// True or false.
    Truth: BooleanBuilder, |value: bool| value
);

impl Takes<&Cow<'_, str>> for Text {
    fn push(&mut self, value: &Cow<'_, str>) {
        self.0.append_value(value);
    }
}

impl Takes<&titledex::Field> for Text {
    fn push(&mut self, value: &titledex::Field) {
        self.0.append_value(value.as_str());
    }
}

impl Takes<GradeValue> for Decimal {
    fn push(&mut self, value: GradeValue) {
        self.0.append_value(f64::from(value.halves()) / 2.0);
    }
}

/// The 64-bit number that is written as `value` is.
pub(crate) fn decimal(value: f32) -> f64 {
    let wide = f64::from(value);
    let short = (wide * 10_000.0).round() / 10_000.0;
    // Below 99 no two numbers of four decimals are the same `f32`.
    if short as f32 == value && short.abs() < 99.0 {
        short
    } else {
        value.to_string().parse().unwrap_or(wide)
    }
}

/// A column that only full answers have.
pub(crate) struct Full<C>(Option<C>);

impl<C: Column> Column for Full<C> {
    fn new(detail: Detail) -> Self {
        Self((detail == Detail::Full).then(|| C::new(detail)))
    }

    fn null(&mut self) {
        if let Some(column) = &mut self.0 {
            column.null();
        }
    }

    fn finish(&mut self) -> Option<ArrayRef> {
        self.0.as_mut().and_then(C::finish)
    }
}

impl<V, C: Takes<V>> Takes<V> for Full<C> {
    fn push(&mut self, value: V) {
        if let Some(column) = &mut self.0 {
            column.push(value);
        }
    }
}

/// Lists.
pub(crate) struct List<C> {
    lengths: Vec<usize>,
    there: NullBufferBuilder,
    values: C,
}

impl<C: Column> Column for List<C> {
    fn new(detail: Detail) -> Self {
        Self {
            lengths: Vec::new(),
            there: NullBufferBuilder::new(0),
            values: C::new(detail),
        }
    }

    fn null(&mut self) {
        self.lengths.push(0);
        self.there.append_null();
    }

    fn finish(&mut self) -> Option<ArrayRef> {
        let values = self.values.finish()?;
        let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths(self.lengths.drain(..));
        Some(Arc::new(ListArray::new(
            field,
            offsets,
            values,
            self.there.finish(),
        )))
    }
}

impl<'v, V, C: Takes<&'v V>> Takes<&'v [V]> for List<C> {
    fn push(&mut self, values: &'v [V]) {
        for value in values {
            self.values.push(value);
        }
        self.lengths.push(values.len());
        self.there.append_non_null();
    }
}

/// The array of a struct's members, without those that are left out.
pub(crate) fn members(
    members: impl IntoIterator<Item = (&'static str, Option<ArrayRef>)>,
    there: &mut NullBufferBuilder,
) -> ArrayRef {
    let len = there.len();
    let (fields, arrays): (Vec<_>, Vec<_>) = members
        .into_iter()
        .filter_map(|(name, array)| {
            array.map(|array| (Field::new(name, array.data_type().clone(), true), array))
        })
        .unzip();
    let made = StructArray::try_new_with_length(fields.into(), arrays, there.finish(), len);
    Arc::new(made.expect("a row adds one value to each column"))
}

/// Makes the columns of a struct, and the dict that it is in Python: the name in JSON, the column,
/// and what of the value goes into it.
macro_rules! columns {
    ($(#[$doc:meta])* $name:ident of |$value:ident: $source:ty| { $($json:literal $member:ident: $column:ty = $given:expr,)* }) => {
        $(#[$doc])*
        pub(crate) struct $name {
            there: arrow_buffer::NullBufferBuilder,
            $($member: $column,)*
        }

        impl $crate::columns::Column for $name {
            fn new(detail: $crate::columns::Detail) -> Self {
                Self { there: arrow_buffer::NullBufferBuilder::new(0), $($member: <$column>::new(detail),)* }
            }

            fn null(&mut self) {
                self.there.append_null();
                $(self.$member.null();)*
            }

            fn finish(&mut self) -> Option<arrow_array::ArrayRef> {
                Some($crate::columns::members([$(($json, self.$member.finish()),)*], &mut self.there))
            }
        }

        impl $crate::columns::Takes<&$source> for $name {
            fn push(&mut self, $value: &$source) {
                self.there.append_non_null();
                $(self.$member.give($given);)*
            }
        }

        impl $crate::dicts::Made for &$source {
            fn made<'py>(self, py: pyo3::Python<'py>, texts: &mut $crate::dicts::Texts) -> pyo3::PyResult<pyo3::Bound<'py, pyo3::PyAny>> {
                let ($value, dict) = (self, pyo3::types::PyDict::new(py));
                $(if let Some(value) = $given {
                    pyo3::types::PyDictMethods::set_item(&dict, pyo3::intern!(py, $json), $crate::dicts::Made::made(value, py, texts)?)?;
                })*
                Ok(dict.into_any())
            }
        }
    };
}
pub(crate) use columns;
