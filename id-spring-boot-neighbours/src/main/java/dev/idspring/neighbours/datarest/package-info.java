/**
 * Support for ids in their text form in the resources of Spring Data REST.
 */
@NullMarked
package dev.idspring.neighbours.datarest;

import org.jspecify.annotations.NullMarked;
