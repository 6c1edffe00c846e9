//! Generated code states the version of the runtime that it was written for.

mod opendyn_calc {
    use ::opendyn::generated as runtime;

    const _: () = runtime::assert_written_for::<0>();
}

fn main() {}
