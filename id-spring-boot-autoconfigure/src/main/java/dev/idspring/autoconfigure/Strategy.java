package dev.idspring.autoconfigure;

import java.util.Locale;

/**
 * How ids are made.
 *
 * @since 0.1.0
 */
public enum Strategy {

	/**
	 * Short keys in a disguised order that visits each key of the key space once.
	 */
	COPRIME;

	/**
	 * Return the name as it is written in configuration files.
	 * @return the name in lower case with dashes
	 */
	String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
