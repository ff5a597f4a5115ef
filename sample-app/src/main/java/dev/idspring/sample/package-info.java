/**
 * A link shortener: keys come from {@code IdGenerator}, links are kept in a table.
 */
@NullMarked
package dev.idspring.sample;

import org.jspecify.annotations.NullMarked;
