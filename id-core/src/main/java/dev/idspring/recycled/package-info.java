/**
 * Reserves blocks from series of ordinals. Only one instance uses a series at a time, and
 * another instance may take over the series later.
 */
@NullMarked
package dev.idspring.recycled;

import org.jspecify.annotations.NullMarked;
