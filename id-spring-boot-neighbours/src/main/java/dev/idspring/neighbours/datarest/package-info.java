/**
 * Reads and writes the text form of ids in the URLs of Spring Data REST.
 */
@NullMarked
package dev.idspring.neighbours.datarest;

import org.jspecify.annotations.NullMarked;
