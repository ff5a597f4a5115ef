/**
 * Generates numbers without a gap, separately for each scope and period.
 */
@NullMarked
package dev.idspring.gapless.scope;

import org.jspecify.annotations.NullMarked;
