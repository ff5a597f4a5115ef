/**
 * Ids as strings in the JSON of Jackson 3.
 */
@NullMarked
package dev.idspring.jackson;

import org.jspecify.annotations.NullMarked;
