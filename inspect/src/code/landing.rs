//! Where functions of C++ go on after an exception: the table that the Itanium ABI calls language-specific data.

use gimli::{DwEhPe, EndianSlice, LittleEndian, Reader};

/// The places in the table of the function that begins at `start`; `None` if it cannot be read.
pub(super) fn places(table: &[u8], start: u64) -> Option<Vec<u64>> {
    let mut table = EndianSlice::new(table, LittleEndian);
    // Places are relative to the function, unless the table says otherwise.
    if DwEhPe(table.read_u8().ok()?) != gimli::DW_EH_PE_omit {
        return None;
    }
    if DwEhPe(table.read_u8().ok()?) != gimli::DW_EH_PE_omit {
        table.read_uleb128().ok()?;
    }
    let encoding = DwEhPe(table.read_u8().ok()?);
    let size = usize::try_from(table.read_uleb128().ok()?).ok()?;
    let mut calls = table.split(size).ok()?;
    let number = |calls: &mut EndianSlice<'_, LittleEndian>| match encoding {
        gimli::DW_EH_PE_uleb128 => calls.read_uleb128().ok(),
        gimli::DW_EH_PE_udata4 => calls.read_u32().ok().map(u64::from),
        _ => None,
    };
    let mut places = Vec::new();
    while !calls.is_empty() {
        number(&mut calls)?;
        number(&mut calls)?;
        let place = number(&mut calls)?;
        calls.read_uleb128().ok()?;
        if place != 0 {
            places.push(start.checked_add(place)?);
        }
    }
    places.sort_unstable();
    places.dedup();
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_relative_to_the_function() {
        // No base, no types, numbers as ULEB128: two calls, of which one has a place.
        let table = [0xff, 0xff, 0x01, 8, 0, 5, 0x20, 1, 5, 5, 0, 0, 0xee];
        assert_eq!(places(&table, 0x1000), Some(vec![0x1020]));
        assert_eq!(places(&table[..6], 0x1000), None);
        assert_eq!(places(&[0x1b, 0, 0, 0, 0], 0x1000), None);
    }
}
