package dev.idspring.testsupport;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Hides packages from the classes of this project during each test, as if the libraries
 * with these packages were absent.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(HiddenPackagesExtension.class)
public @interface HiddenPackages {

	String[] value();

}
