package dev.idspring.sample;

import org.jspecify.annotations.Nullable;

/**
 * A request to shorten a link.
 *
 * @param url the URL to which the link redirects
 */
record LinkRequest(@Nullable String url) {

}
