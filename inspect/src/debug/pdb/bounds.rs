//! Checks the sizes that a PDB states against the file. The PDB reader allocates for sizes and counts before
//! it reads the data, so they are checked first.

use std::io;

use pdb2::{Source, SourceSlice, SourceView, StreamIndex};

/// The stream that has the types.
const TYPES: StreamIndex = StreamIndex(2);

/// The file; the reader gets no view that is larger than the file.
#[derive(Debug)]
pub(super) struct File<'a>(pub &'a [u8]);

#[derive(Debug)]
struct View(Vec<u8>);

impl SourceView<'_> for View {
    fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl<'a> Source<'a> for File<'a> {
    fn view(&mut self, slices: &[SourceSlice]) -> io::Result<Box<dyn SourceView<'a> + Send + Sync>> {
        let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let size = slices.iter().try_fold(0usize, |sum, slice| sum.checked_add(slice.size));
        let size = size.filter(|size| *size <= self.0.len()).ok_or_else(end)?;
        let mut bytes = Vec::with_capacity(size);
        for slice in slices {
            let start = usize::try_from(slice.offset).map_err(|_| end())?;
            let part = start.checked_add(slice.size).and_then(|stop| self.0.get(start..stop));
            bytes.extend_from_slice(part.ok_or_else(end)?);
        }
        Ok(Box::new(View(bytes)))
    }
}

/// Opens a PDB whose type count and argument counts fit into the stream.
pub(super) fn open(bytes: &[u8]) -> pdb2::Result<pdb2::PDB<'_, File<'_>>> {
    let mut pdb = pdb2::PDB::open(File(bytes))?;
    if let Some(types) = pdb.raw_stream(TYPES)? {
        check_types(types.as_slice())
            .ok_or(pdb2::Error::InvalidTypeInformationHeader("a count exceeds its stream"))?;
    }
    Ok(pdb)
}

/// Lists of four-byte indices after a count: of arguments, and of strings.
const LISTS: [u16; 2] = [0x1201, 0x1604];

/// The largest header that the reader accepts.
const LARGEST_HEADER: usize = 1024;

/// `None` if a count is larger than the data after it.
fn check_types(stream: &[u8]) -> Option<()> {
    if stream.is_empty() {
        return Some(());
    }
    let number = |at: usize| stream.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
    let short = |at: usize| stream.get(at..at + 2)?.try_into().ok().map(u16::from_le_bytes);
    // Version, header size, first index, and the index after the last.
    let mut at = number(4)? as usize;
    let count = number(12)?.checked_sub(number(8)?)? as usize;
    // A record has at least its length and its kind.
    if count > stream.len() / 4 || at > LARGEST_HEADER {
        return None;
    }
    while let Some(length) = short(at) {
        let (start, end) = (at + 2, at + 2 + usize::from(length));
        let is_list = short(start).is_some_and(|kind| LISTS.contains(&kind));
        if is_list && number(start + 2).is_some_and(|count| count as usize > usize::from(length) / 4) {
            return None;
        }
        at = end;
    }
    Some(())
}

/// Whether a symbol is a list of functions (callees, callers, inlinees). The reader allocates for its count,
/// and nothing here needs it.
pub(super) fn is_function_list(symbol: &pdb2::Symbol<'_>) -> bool {
    matches!(symbol.raw_kind(), 0x115a | 0x115b | 0x1168)
}
