package dev.idspring.autoconfigure;

import dev.idspring.IdSetupException;
import dev.idspring.ddl.DdlPlatform;
import org.springframework.core.env.Environment;

/**
 * SQL that lets a database make the ids of a generator.
 *
 * @param generator the name of the generator
 * @param platform the database
 * @param sql the script
 * @since 0.1.0
 */
public record DdlScript(String generator, DdlPlatform platform, String sql) {

	/**
	 * Make the script of a generator.
	 * @param environment has the properties of the generators
	 * @param ddl which script
	 * @return the script
	 * @throws IdSetupException if a property is missing or wrong
	 */
	public static DdlScript of(Environment environment, IdsProperties.Ddl ddl) {
		return new DdlScripts(environment).script(ddl);
	}

}
