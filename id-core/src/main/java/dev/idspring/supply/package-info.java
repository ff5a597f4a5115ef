/**
 * The background thread of a generator, the only one that talks to its store.
 */
@NullMarked
package dev.idspring.supply;

import org.jspecify.annotations.NullMarked;
