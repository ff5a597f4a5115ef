/**
 * Reserves blocks of ordinals (positions of ids in their key space) ahead of use, hands
 * out the ordinals, and gives unused ones back. {@link dev.idspring.store.KeySpaceStore}
 * is the interface to the store that records the reservations. A {@code BlockEngine} gets
 * its blocks from a {@link dev.idspring.store.BlockSource}: a counter that all instances
 * share, or a series (a range of ordinals that one instance owns). Callers take ordinals
 * from the current block of the engine. If the order of ordinals does not matter, callers
 * first try {@code Stripes}, which contain chunks of that block.
 */
@NullMarked
package dev.idspring.block;

import dev.idspring.block.stripe.Stripes;
import dev.idspring.store.KeySpaceStore;
import org.jspecify.annotations.NullMarked;
