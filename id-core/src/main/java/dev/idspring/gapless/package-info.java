/**
 * Numbers without a gap, drawn in the caller's own transaction.
 * {@link dev.idspring.gapless.GaplessStore} is the seam to the database of that
 * transaction.
 */
@NullMarked
package dev.idspring.gapless;

import org.jspecify.annotations.NullMarked;
