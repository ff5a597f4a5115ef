/**
 * Support for ids as strings in the JSON of Jackson 3.
 */
@NullMarked
package dev.idspring.autoconfigure.jackson;

import org.jspecify.annotations.NullMarked;
