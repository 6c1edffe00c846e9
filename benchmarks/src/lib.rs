//! What a call costs, beside what it costs by other ways.
