package dev.idspring.autoconfigure.actuate;

import java.util.Map;

/**
 * The health of a generator, or of the watched columns. This type is independent of
 * Spring Boot's types, which differ between its versions.
 *
 * @param up whether the generator issues ids; always {@code true} for columns
 * @param details what the health endpoint shows
 */
record IdHealth(boolean up, Map<String, Object> details) {

}
