//! Rules of the comparison, each with an interface that is made by hand.
