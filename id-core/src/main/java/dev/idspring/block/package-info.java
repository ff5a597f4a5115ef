/**
 * Reserves blocks of ordinals ahead of use, hands out their ordinals, and gives unused
 * ones back. {@link dev.idspring.store.KeySpaceStore} is the interface to the store that
 * records the reservations. {@link dev.idspring.store.BlockSource} is the interface to an
 * engine's source of ordinals: a counter that all instances share, or a series. Callers
 * take ordinals from the current block of a {@code BlockEngine}, or from {@code Stripes}
 * where order does not matter.
 */
@NullMarked
package dev.idspring.block;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.store.KeySpaceStore;
import org.jspecify.annotations.NullMarked;
