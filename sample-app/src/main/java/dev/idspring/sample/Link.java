package dev.idspring.sample;

/**
 * A link and the key that stands for it.
 *
 * @param key the text form of an id
 * @param url where the key leads
 */
record Link(String key, String url) {

}
