package dev.idspring.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shows the address of a database without what is nobody's business: users and passwords
 * stand before the host, or among the parameters. Rather leaves out too much.
 */
final class DatabaseAddress {

	private static final Pattern PARAMETERS = Pattern.compile("[?;(]|[:,]\\w+=");

	private static final Pattern SCHEME = Pattern.compile("(?:[\\w+.-]+:)*+(?://)?+");

	private static final String HIDDEN = "***";

	private DatabaseAddress() {
	}

	static String withoutCredentials(String url) {
		Matcher parameters = PARAMETERS.matcher(url);
		boolean cut = parameters.find();
		String address = cut ? url.substring(0, parameters.start()) + parameters.group().charAt(0) + HIDDEN : url;
		int host = url.lastIndexOf('@') + 1;
		if (host == 0) {
			return address;
		}
		Matcher scheme = SCHEME.matcher(url);
		int user = scheme.lookingAt() ? scheme.end() : 0;
		if (user == host - 1) {
			return address;
		}
		// a password may look like parameters, and parameters may have the sign
		return url.substring(0, user) + HIDDEN
				+ ((!cut || host <= parameters.start()) ? "@" + address.substring(host) : "");
	}

}
