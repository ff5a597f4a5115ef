/**
 * Blocks of ordinals: how they are reserved ahead of use, handed to callers, and given
 * back. {@link dev.idspring.block.KeySpaceStore} is the seam to whatever remembers them.
 */
@NullMarked
package dev.idspring.block;

import org.jspecify.annotations.NullMarked;
