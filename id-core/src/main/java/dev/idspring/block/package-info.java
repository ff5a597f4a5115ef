/**
 * Blocks of ordinals: how they are reserved ahead of use, handed to callers, and given
 * back. {@link dev.idspring.store.KeySpaceStore} is the seam to whatever remembers them,
 * {@link dev.idspring.store.BlockSource} the one to where an engine gets them from: a
 * counter that all instances share, or a series. Callers take ordinals from the current
 * block of a {@code BlockEngine}, or from {@code Stripes} where order means nothing.
 */
@NullMarked
package dev.idspring.block;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.store.KeySpaceStore;
import org.jspecify.annotations.NullMarked;
