package dev.idspring.autoconfigure.actuate;

import java.util.Map;

/**
 * The health of a generator, or of the watched columns. Spring Boot's own types are not
 * used, because they differ between the versions of Spring Boot.
 *
 * @param up whether the health is up; always {@code true} for columns
 * @param details what the health endpoint shows
 */
record IdHealth(boolean up, Map<String, Object> details) {

}
