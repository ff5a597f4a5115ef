/**
 * Generates gapless numbers in the caller's own transaction.
 * {@link dev.idspring.store.GaplessStore} is the interface to the database of that
 * transaction.
 */
@NullMarked
package dev.idspring.gapless;

import dev.idspring.store.GaplessStore;
import org.jspecify.annotations.NullMarked;
