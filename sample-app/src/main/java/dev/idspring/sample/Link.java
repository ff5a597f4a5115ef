package dev.idspring.sample;

/**
 * A shortened link.
 *
 * @param id the text form of the id, for example {@code lnk_4Gh7xKq}
 * @param key the id without its prefix, as it appears in the short link
 * @param url the URL to which the link redirects
 * @param clicks how often the link was followed
 */
record Link(String id, String key, String url, long clicks) {

}
