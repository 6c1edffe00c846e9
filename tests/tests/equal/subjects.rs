//! The documents that are called. A new one is a line of `bindings!` and one of `SUBJECTS`.

use opendyn_model::{Options, Unchecked};

use super::subject::Subject;

/// Each in a module, because several documents have a `Point`.
macro_rules! bindings {
    ($($module:ident $binding:ident $document:tt $([$($option:tt)*] $set:expr)?;)*) => {$(
        mod $module {
            opendyn::opendyn!($document $(, $($option)*)?);
            opendyn_tests::twin!($binding = $document $(, $set)?);
        }
        use $module::$binding;
    )*};
}

bindings! {
    arrays KeysArrays "fixtures/keys-arrays/tool.json";
    callbacks KeysCallbacks "fixtures/keys-callbacks/tool.json";
    collect KeysCollect "fixtures/keys-collect/tool.json";
    several KeysSeveral "fixtures/keys-handles/several.json";
    deep KeysDeep "fixtures/keys-deep/tool.json";
    handles KeysHandles "fixtures/keys-handles/tool.json";
    init KeysInit "fixtures/keys-init/tool.json";
    lengths KeysLengths "fixtures/keys-lengths/tool.json";
    members KeysMembers "fixtures/keys-members/tool.json";
    states KeysStates "fixtures/keys-states/tool.json";
    odd KeysOdd "fixtures/keys-odd/tool.json";
    owned KeysOwned "fixtures/keys-owned/tool.json";
    ownership KeysOwnership "fixtures/keys-ownership/tool.json";
    pointers KeysPointers "fixtures/keys-pointers/tool.json";
    takes KeysTakes "fixtures/keys-takes/tool.json";
    taken_memory KeysTakesMemory "fixtures/keys-takes/memory.json";
    replies KeysReplies "fixtures/keys-replies/tool.json";
    text KeysText "fixtures/keys-text/tool.json";
    unions KeysUnions "fixtures/keys-unions/tool.json";
    values KeysValues "fixtures/keys-values/tool.json";
    outputs Outputs "fixtures/outputs/tool.json";
    names Names "fixtures/shapes/names.json";
    stdcall Stdcall "fixtures/shapes/stdcall.json";
    shapes Shapes "fixtures/shapes/tool.json";
    counter Counter "fixtures/threads/tool.json";
    types Types "fixtures/types/tool.json";
    wild OpenDynMockUtil "fixtures/wild/tool.json";
    // These may call functions with pointers that the document does not fully describe.
    extensions Extensions "fixtures/extensions/tool.json" [unchecked = allow] super::unchecked;
    unchecked_shapes UncheckedShapes "fixtures/shapes/tool.json"
        [name = UncheckedShapes, unchecked = allow] super::unchecked;
    unchecked_types UncheckedTypes "fixtures/types/tool.json"
        [name = UncheckedTypes, unchecked = allow] super::unchecked;
}

// Its document has the sizes of structs with pointers of 64 bits.
#[cfg(target_pointer_width = "64")]
bindings! { structs KeysStructs "fixtures/keys-structs/tool.json"; }

fn unchecked(options: &mut Options) {
    options.unchecked = Unchecked::Allow;
}

/// Every document whose functions are called at random.
pub const SUBJECTS: &[Subject] = &[
    Subject::plain::<KeysArrays>("keys_arrays"),
    Subject::with_handles::<KeysCallbacks>("keys_callbacks").counted_by(&["keys_living"]),
    Subject::with_handles::<KeysCollect>("keys_collect").counted_by(&["emitters_living"]),
    Subject::plain::<KeysDeep>("keys_deep").counted_by(&["keys_living"]),
    Subject::with_handles::<KeysHandles>("keys_handles").counted_by(&["keys_living", "keys_faults"]),
    Subject::with_handles::<KeysSeveral>("keys_handles").counted_by(&["keys_living", "keys_faults"]),
    Subject::with_handles::<KeysInit>("keys_init").counted_by(&["keys_living", "keys_faults"]),
    Subject::with_handles::<KeysLengths>("keys_lengths").counted_by(&["keys_allocated"]),
    Subject::with_handles::<KeysMembers>("keys_members").counted_by(&["keys_living"]),
    Subject::with_handles::<KeysStates>("keys_states").counted_by(&["keys_living", "keys_faults"]),
    Subject::plain::<KeysOdd>("keys_odd"),
    Subject::plain::<KeysOwned>("keys_owned").counted_by(&["keys_allocated", "keys_faults"]),
    Subject::with_handles::<KeysOwnership>("keys_ownership").counted_by(&["keys_living", "keys_faults"]),
    Subject::with_handles::<KeysPointers>("keys_pointers").counted_by(&["keys_living", "keys_faults"]),
    Subject::with_handles::<KeysTakes>("keys_takes").counted_by(&["keys_living", "keys_faults"]),
    Subject::with_handles::<KeysTakesMemory>("keys_takes_memory").counted_by(&["pool_leaked", "pool_faults"]),
    Subject::plain::<KeysReplies>("keys_replies").counted_by(&["keys_allocated"]),
    #[cfg(target_pointer_width = "64")]
    Subject::with_handles::<KeysStructs>("keys_structs"),
    Subject::plain::<KeysText>("keys_text"),
    Subject::plain::<KeysUnions>("keys_unions"),
    Subject::plain::<KeysValues>("keys_values"),
    Subject::plain::<Outputs>("outputs"),
    Subject::plain::<Names>("names"),
    Subject::plain::<Stdcall>("shapes"),
    Subject::plain::<Shapes>("shapes"),
    Subject::plain::<UncheckedShapes>("shapes").compiled_with(&["-DWITH_EXTRA"]),
    Subject::plain::<Counter>("counter"),
    Subject::plain::<Types>("types"),
    Subject::plain::<UncheckedTypes>("types"),
    Subject::plain::<OpenDynMockUtil>("wild"),
    Subject::plain::<Extensions>("extensions"),
];
