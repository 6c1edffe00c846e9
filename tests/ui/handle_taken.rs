//! A handle that C takes is moved, and what lives in it cannot be where it goes.

opendyn::opendyn!("takes.json");

fn used_again(root: &Node<'_>, child: Node<'_>) {
    root.add(child);
    child.sum();
}

fn outlives_its_owner(root: Node<'_>, child: Node<'_>) {
    let child = root.add(child);
    drop(root);
    child.sum();
}

fn into_itself(root: Node<'_>) {
    root.add(root);
}

fn into_what_is_in_it(root: Node<'_>, child: Node<'_>) {
    let child = root.add(child);
    child.add(root);
}

fn lent(root: &Node<'_>, other: &Node<'_>) {
    other.add(root.first().unwrap());
}

fn main() {}
