package dev.idspring.sample;

import org.jspecify.annotations.Nullable;

/**
 * Asks for a link to be shortened.
 *
 * @param url where the link leads
 */
record LinkRequest(@Nullable String url) {

}
