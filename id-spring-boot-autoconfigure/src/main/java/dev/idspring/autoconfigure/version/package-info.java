/**
 * Checks that the starter is the one for the running line of Spring Boot.
 */
@NullMarked
package dev.idspring.autoconfigure.version;

import org.jspecify.annotations.NullMarked;
