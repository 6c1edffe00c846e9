use super::docstring::{Docstring, read};
use super::type_text::stated;
use super::*;
