package dev.idspring.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs each test with classes of this project that cannot see some packages, as where the
 * libraries with these packages are absent.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HiddenPackagesExtension.class)
public @interface HiddenPackages {

	String[] value();

}
